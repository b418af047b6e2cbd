function f() {
  return g();

  function g() {
    return 1;
  }
}

class A extends B {
  constructor() {
    super();
    this.y = 2;
  }
}
