function f() {
/*
old();
*/
  a();
  b();
}
