class A {
  void f() {
    if (x)
      a2();
    b2();
  }
}
