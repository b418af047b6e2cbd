export function g(x: number) {
  while (x)
    x -= 1;
}
