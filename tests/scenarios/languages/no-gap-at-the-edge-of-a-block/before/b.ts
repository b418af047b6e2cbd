class A {
  a() {}

  b() {}
}
