def f(
    root: str = None,
):
    pass
