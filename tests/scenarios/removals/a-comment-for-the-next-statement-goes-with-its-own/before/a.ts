function f() {
  // @ts-expect-error old
  a(1);
  b(2);
}
