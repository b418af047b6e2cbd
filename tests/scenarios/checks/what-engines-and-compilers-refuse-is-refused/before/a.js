export function load() {
  return read();
}

const a = 1;
