class A {
  void f() {
    if (x)
      a();
    b();
  }
}
