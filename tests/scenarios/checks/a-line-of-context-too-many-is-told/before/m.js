for (const a of b) {
  c();
  d();
}
