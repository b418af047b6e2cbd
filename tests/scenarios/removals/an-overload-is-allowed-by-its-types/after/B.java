class Box {
  int size(long q) {
    return (int) q;
  }

  int size(String s) {
    return s.length();
  }
}
