class Box {
  #deep = 1;
  has(other: Box) {
    return #deep in other && other.#deep === this.#deep;
  }
}
class Other {
  #inner = 2;
  get() {
    return this.#inner;
  }
}
