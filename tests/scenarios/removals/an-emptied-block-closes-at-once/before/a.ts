class A {
  f() {}

  g() {}
}
