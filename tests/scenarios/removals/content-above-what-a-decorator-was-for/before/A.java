class A {
  int x;

  @Override
  public String f() { return "a"; }
}
