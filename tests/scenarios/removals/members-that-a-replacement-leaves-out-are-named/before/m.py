HANDLERS = {
    "open": 1,
    'close': 2,
    KEY: 3,
    **OTHERS,
}


class A:
    names: dict = {"a": 1, "b": 2}
