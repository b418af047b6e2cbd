class A {
  @Get("/a")
  a() {
    return 1;
  }
}
