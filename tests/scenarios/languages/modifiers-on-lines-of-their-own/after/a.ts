class A {
  a: string;

  static
  b(): void {}
}

class N {}

export
class C {}
