import math


def area(r):
    return 3 * r * r


def ring(r):
    return 2 * 3 * r
