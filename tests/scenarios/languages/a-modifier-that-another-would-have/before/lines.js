class A {
  a() {}

  static
  b() {}
}
