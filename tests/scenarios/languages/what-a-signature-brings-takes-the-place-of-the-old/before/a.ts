/** F. */
export function f() {
  return 1;
}

class A {
  /** Old. */
  @Listener("x")
  m(a: number): void {
    return;
  }
}
