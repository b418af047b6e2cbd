public enum Added {
  A(0),
  B(5);

  private final int v;

  Added(int i) {
    v = i;
  }

  public int w() {
    return 2;
  }
}
