from functools import singledispatch


@singledispatch
def show(value):
    return str(value)


@show.register
def _(value: int):
    return f"{value:,}"


@show.register
def _(value: float):
    return f"{value:.2f}"
