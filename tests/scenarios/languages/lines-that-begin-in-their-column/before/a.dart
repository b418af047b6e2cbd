class A {
  void m() {
    p();
  }
}
