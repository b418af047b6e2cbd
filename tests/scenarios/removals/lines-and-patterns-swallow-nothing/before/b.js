function f() {
  return 1;
}

function g() {
  return 2;
}
