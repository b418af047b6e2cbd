class Else {
  void f(boolean a, boolean b) {
    if (a) {
      x();
    } else {
      y();
    }
  }
}
