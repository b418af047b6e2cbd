namespace a {
function f() {
  x();
}
}
