function f() {
// old();
  a();
}
