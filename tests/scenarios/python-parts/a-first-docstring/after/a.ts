class A {
  /** One. */
  @x()
  f() {}
}
