class A {
  /**
   * Doc of f.
   */
  @Override
  public int f() {
    return 1;
  }

  int g;
}
