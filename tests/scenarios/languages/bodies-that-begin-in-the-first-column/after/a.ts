function f() {
  c();
  d();
}
