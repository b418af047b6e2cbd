class A {
  /** Half. */

  int half(int a) {
    return a;
  }
}
