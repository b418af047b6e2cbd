if (a) {
  b();
  c();
}
