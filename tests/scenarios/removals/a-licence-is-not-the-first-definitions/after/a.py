# Copyright 2026 The Authors


def b():
    pass
