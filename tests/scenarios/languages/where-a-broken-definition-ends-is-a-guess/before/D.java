class D {
  int g() {
    x = f(a,
  }

  int h() {
    return 2;
  }
}
