class A {
  a() {}
}
