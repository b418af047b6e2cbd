import functools

from shapes import Shape, Named


@functools.total_ordering
class Square(Shape, Circle, metaclass=type):
    size = 1

    @functools.lru_cache(
        maxsize=None,
    )
    def area(self):
        return self.size

    @property
    def name(self):
        return "square"


class Circle(Named):
    pass


app = Shape("api", debug=False, width=2)
