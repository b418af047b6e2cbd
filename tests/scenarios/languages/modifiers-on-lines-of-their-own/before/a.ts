class A {
  a: B;

  static
  b(): void {}
}

export
class C {}
