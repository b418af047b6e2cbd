"""Carts."""

from __future__ import annotations

import os
from collections import OrderedDict

import yaml

from shop.bag import Bag


def load(path):
    return Bag(yaml.safe_load(open(os.path.join(path))), OrderedDict())
