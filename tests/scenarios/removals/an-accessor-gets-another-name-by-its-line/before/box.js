class Box {
  get size() {
    return this.inner.size;
  }

  set size(value) {
    this.inner.size = value;
  }
}
