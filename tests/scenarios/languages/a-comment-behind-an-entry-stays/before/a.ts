interface A {
  a: number,
  b: string,
  m(): void
}
