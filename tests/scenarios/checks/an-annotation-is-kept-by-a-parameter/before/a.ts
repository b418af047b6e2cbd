class A {
  constructor(
    @Inject(DB)
    private db: Db,
    @Optional() private log: Log,
  ) {}
}
