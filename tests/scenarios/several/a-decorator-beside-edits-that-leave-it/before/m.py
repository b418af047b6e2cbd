@app.get("/a")
def f():
    return 1


@app.get("/g")
def g():
    return old


@dataclass
class C:
    x = old

    @property
    def p(self):
        return old
