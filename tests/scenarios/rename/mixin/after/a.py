class Loud:
    def store(self):
        print("saving")
        super().store()


class Model:
    def store(self):
        return self


class Order(Loud, Model):
    pass


Order().store()
