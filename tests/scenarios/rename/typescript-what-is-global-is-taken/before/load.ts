export function load() {
  return fetch("/");
}
