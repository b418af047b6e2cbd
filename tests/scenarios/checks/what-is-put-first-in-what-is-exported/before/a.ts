export class Cache {
  get(key: string) {
    return this.map[key];
  }
}

export function load(path: string) {
  return read(path);
}

export const sizes = {
  small: 1,
  large: 9,
};
export default sizes;
old();
last();
