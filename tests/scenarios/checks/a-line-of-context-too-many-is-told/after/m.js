for (const a of b) {
for (const a of b) {
  c2();
}
  d();
}
