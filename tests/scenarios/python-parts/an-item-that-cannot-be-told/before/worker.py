LIMIT = 5


@cached
@app.route("/")
@app.route("/all")
def run(self, orders):
    return orders
