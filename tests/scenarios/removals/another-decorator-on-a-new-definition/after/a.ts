class A {
  @Post("/a")
  z() {
    return 0;
  }

  a() {
    return 1;
  }
}
