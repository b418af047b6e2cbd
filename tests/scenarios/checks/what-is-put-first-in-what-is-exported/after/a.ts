export class Cache {
  map = {};
  get(key: string) {
    return this.map[key];
  }
}

export function load(path: string) {
  check(path);
  return read(path);
}

export const sizes = {
  large: 9,
};
export default sizes;
last();
