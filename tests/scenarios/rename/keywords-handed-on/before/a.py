def draw(width, colour="red"):
    return width, colour


def draw_all(*shapes, **options):
    return [draw(shape, **options) for shape in shapes]


draw_all(1, 2, colour="blue")
