class A {
  constructor(
    @Inject(DB)
    private db: Database,
    @Skip() private log: Log,
  ) {}
}
