from base import Base, Other


class Middle(Base):
    pass


class Leaf(Middle):
    def run(self):
        return super().run() + 1


Leaf().run()
Middle.run(Leaf())
Other().run()
