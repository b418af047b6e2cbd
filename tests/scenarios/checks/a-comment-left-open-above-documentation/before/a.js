class A {
  a() { return 1; }

  /**
   * Doc of b.
   */
  b() { return 2; }
}
