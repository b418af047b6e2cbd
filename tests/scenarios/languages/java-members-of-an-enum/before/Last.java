public enum Last {
  A(0),
  B(5);

  private final int v;

  Last(int i) {
    v = i;
  }

  public int w() {
    return 2;
  }
}
