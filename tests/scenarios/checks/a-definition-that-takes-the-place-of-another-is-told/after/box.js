class Box {
  get size() {
    return 1;
  }

  open() {
    return 4;
  }

  set size(value) {
    this.inner = value;
  }

  static open() {
    return new Box();
  }

  open(key) {
    return key;
  }
}

function wait() {
  return 3;
}

function wait(times) {
  return times;
}
