class A {
  @Get()
  a() {
    x();
  }

  b() {
    y();
  }
}
