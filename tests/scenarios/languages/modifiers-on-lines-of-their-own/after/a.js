class A {
  a() {}

  n() {}

  static
  b() {}
}
