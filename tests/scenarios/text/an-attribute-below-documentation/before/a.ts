class A {
  /** Lists. */
  a() {
    b();
  }
}
