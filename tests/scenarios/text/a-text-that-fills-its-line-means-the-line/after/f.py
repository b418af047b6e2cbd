def f(
    root: str = None,
    extra: int = 0,
):
    pass
