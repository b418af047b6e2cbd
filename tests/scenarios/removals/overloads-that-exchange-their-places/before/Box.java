class Box {
  /** By number. */
  int size(int x) {
    return x;
  }

  /** By text. */
  @Deprecated
  int size(String s) {
    return s.length();
  }
}
