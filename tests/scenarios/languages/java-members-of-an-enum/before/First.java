public enum First {
  A(0),
  B(5);

  private final int v;

  First(int i) {
    v = i;
  }

  public int w() {
    return 2;
  }
}
