class A {}

class B {
  run() {
    this.a = 1;
    this.b = 2;
  }
}

export class T {
  go() {}
}
