class Box {
  getSize() {
    return this.inner.size;
  }

  setSize(value) {
    this.inner.size = value;
  }
}
