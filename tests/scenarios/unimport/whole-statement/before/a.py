"""A."""

import os

import yaml


def f():
    return yaml.load(1)
