void f(void) {
  while (a && b) {
      work(i);
  }
}
