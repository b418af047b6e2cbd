void f(void) {
  while (a) {
    if (b)
      work(i);
  }
}
