class Box {
  int size(int x) {
    int y = x;
    y += 1;
    log(y);
    return y;
  }

  int size(String s) {
    return s.length();
  }
}
