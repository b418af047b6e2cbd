# Copyright 2026 The Authors
def a():
    pass


def b():
    pass
