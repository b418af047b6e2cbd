from base import Base, Other


class Middle(Base):
    pass


class Leaf(Middle):
    def go(self):
        return super().go() + 1


Leaf().go()
Middle.go(Leaf())
Other().run()
