struct A : B {
  int n = 0;
  int k;
  A(int x)
      : B(x), n(x), k(1) {
    go();
  }
  explicit A(char c) : B(c) {}
};
