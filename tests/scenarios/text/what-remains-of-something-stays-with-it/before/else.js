function f(a, b) {
  if (a) {
    x();
  } else {
    y();
  }
}
