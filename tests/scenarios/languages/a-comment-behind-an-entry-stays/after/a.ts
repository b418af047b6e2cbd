interface A {
  a: number,
  m(): void
}
