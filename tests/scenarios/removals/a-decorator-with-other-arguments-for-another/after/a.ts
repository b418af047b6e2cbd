class A {
  @Get("/z")
  z() {
    return 0;
  }

  a() {
    return 1;
  }
}
