export function f(a: number, b: number) {
  return a;
}

export default @dec class A extends Base {
  x = 1
}
