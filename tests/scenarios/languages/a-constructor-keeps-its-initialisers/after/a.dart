class A extends B {
  final int n;
  A(int x, int y) : n = x, super(x) {
    go();
  }
  A.none([int x]) : this(0);
}
