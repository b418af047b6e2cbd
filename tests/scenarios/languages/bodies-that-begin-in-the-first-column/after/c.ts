namespace a {
function f() {
  x();
}

function g() {}
}
