void f(void) {
  for (;;) {
    if (!ok(i))
      continue;
    work(i);
  }
}
