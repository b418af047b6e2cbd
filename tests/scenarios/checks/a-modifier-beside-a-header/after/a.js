async function load(path) {
  return read(path);
}

class Cache extends Store {
  static get(key) {
    return this.map[key];
  }
}
