struct A : B {
  int n = 0;
  int k;
  A(int x, int y)
      : B(x), n(x), k(1) {
    go();
  }
  A(char c) : B(c + 1) {}
};
