class A {
  /** Lists. */
  @Get()
  a() {
    b();
  }
}
