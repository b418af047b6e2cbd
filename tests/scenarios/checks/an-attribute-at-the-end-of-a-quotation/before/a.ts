class A {
  constructor(
    private a: X,
    @Inject(T)
    private b: Y,
  ) {}
}
