class A {
  @HostListener("x")
  a() {
    return 1;
  }
}
