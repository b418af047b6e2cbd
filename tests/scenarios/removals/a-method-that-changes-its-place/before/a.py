class A:
    def first(self):
        one = 1
        return one

    def last(self):
        two = 2
        three = 3
        return two + three


class B:
    def only(self):
        four = 4
        five = 5
        return four + five


def free(value):
    six = value + 6
    seven = value + 7
    return six * seven
