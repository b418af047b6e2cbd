class A {
  get size() {
    return 1;

  has() {}
}

class B {
  append() {}
}
