class A {
  @Override
  public String f() { return "a"; }
}
