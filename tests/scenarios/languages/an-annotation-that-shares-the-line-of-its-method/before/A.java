class A {
  @Override int m() { return 1; }
}
