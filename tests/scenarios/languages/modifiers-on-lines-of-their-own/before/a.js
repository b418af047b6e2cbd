class A {
  a() {}

  static
  b() {}

  static
  c = 1;
}
