export function f(a: number) {
  return a;
}

export default @dec class A {
  x = 1
}
