/** G. */
export function f(x: number) {
  return 1;
}

class A {
  /** Old. */
  @Listener("y")
  m(a: string): void {
    return;
  }
}
