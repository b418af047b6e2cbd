@app.get("/g")
def g():
    return new


@dataclass(frozen=True)
class C:
    x = new

    @cache
    @property
    def p(self):
        return new
