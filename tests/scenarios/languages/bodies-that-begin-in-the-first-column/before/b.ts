function f() {
/*
old();
*/
  a();
}
