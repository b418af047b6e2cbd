class Box {
  get size() {
    return 1;
  }

  open() {
    return 2;
  }
}

function wait() {
  return 3;
}
