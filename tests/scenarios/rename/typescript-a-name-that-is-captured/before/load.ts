export function load() {
  return fetch("/");
}
export function both(get: () => number) {
  return [load(), get()];
}
