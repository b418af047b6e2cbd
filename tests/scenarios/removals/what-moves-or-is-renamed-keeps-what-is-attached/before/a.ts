class A {
  /** Runs. */
  @dec()
  run() {
    this.a = 1;
    this.b = 2;
  }
}

/** Is S. */
export class S {
  go() {}
}
