enum Only {
  A, B;

  int w() {
    return 2;
  }
}
