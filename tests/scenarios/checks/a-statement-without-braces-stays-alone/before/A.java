class A {
  int f(int x) {
    for (int i = 0; i < x; i++)
      go(i);
    if (x > 1)
      a();
    else
      b();
    return x;
  }
}
