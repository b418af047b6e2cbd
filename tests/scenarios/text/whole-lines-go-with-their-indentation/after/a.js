if (a) {
  c();
}
