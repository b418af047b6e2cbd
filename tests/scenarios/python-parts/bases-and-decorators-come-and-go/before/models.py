import functools

from shapes import Shape, Named


class Square(Shape, Named, metaclass=type):
    size = 1

    def area(self):
        return self.size

    @functools.cache
    @property
    def name(self):
        return "square"


class Circle:
    pass


app = Shape("app", debug=True)
