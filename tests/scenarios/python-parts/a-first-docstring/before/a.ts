class A {
  @x()
  f() {}
}
