public enum First {
  A(0),
  B(5);

  First(int i) {
    v = i;
  }

  public int w() {
    return 2;
  }
}
