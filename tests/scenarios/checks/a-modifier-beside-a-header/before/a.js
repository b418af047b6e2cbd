function load(path) {
  return read(path);
}

export default class Cache {
  get(key) {
    return this.map[key];
  }
}
