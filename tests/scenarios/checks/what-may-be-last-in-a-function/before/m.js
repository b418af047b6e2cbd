function f() {
  return g();
}

class A extends B {
  constructor() {
    super();
  }
}
