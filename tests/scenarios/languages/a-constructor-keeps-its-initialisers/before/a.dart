class A extends B {
  final int n;
  A(int x) : n = x, super(x) {
    go();
  }
  A.none() : this(0);
}
