class K {
  a() { return 1; }
  b() {
    one();
    return 2;
  }
  c() {
    three();
  }
}
