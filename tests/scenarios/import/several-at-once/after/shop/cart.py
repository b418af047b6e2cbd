"""Carts."""

from __future__ import annotations

import os
import re
from collections import Counter, OrderedDict, deque

import requests
import yaml

from shop.bag import Bag
from shop.price import RATE


def load(path):
    return Bag(yaml.safe_load(open(os.path.join(path))), OrderedDict())
