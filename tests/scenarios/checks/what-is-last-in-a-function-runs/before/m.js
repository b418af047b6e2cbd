function f() {
  a();
  return 1;
}

class A {
  m() {
    throw e;
  }
}
