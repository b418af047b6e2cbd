HANDLERS = {
    'open': 2,
    KEY: 3,
}


class A:
    names: dict = {"a": 1}
