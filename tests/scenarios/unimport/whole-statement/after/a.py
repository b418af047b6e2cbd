"""A."""

import yaml


def f():
    return yaml.load(1)
