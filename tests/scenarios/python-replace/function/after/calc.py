import math


def area(r):
    return math.pi * r ** 2


def ring(r):
    return 2 * 3 * r
