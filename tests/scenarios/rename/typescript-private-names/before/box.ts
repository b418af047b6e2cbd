class Box {
  #inner = 1;
  has(other: Box) {
    return #inner in other && other.#inner === this.#inner;
  }
}
class Other {
  #inner = 2;
  get() {
    return this.#inner;
  }
}
