if (a) {
  x();
}
if (b) {
  y();
  z();
}
