class Loud:
    def save(self):
        print("saving")
        super().save()


class Model:
    def save(self):
        return self


class Order(Loud, Model):
    pass


Order().save()
