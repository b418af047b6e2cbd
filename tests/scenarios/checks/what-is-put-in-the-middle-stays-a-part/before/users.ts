class Users {
  constructor(
    @Inject(CACHE)
    private store: Store,
  ) {}
}
