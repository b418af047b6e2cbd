class A {
  int helper() { return 1; }

  @Override
  int m() { return helper(); }
}
