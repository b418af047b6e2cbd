# -*- coding: latin-1 -*-
NAME = "Café"


def run():
    return 2
