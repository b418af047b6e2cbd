import os

import pytest

from shop.bag import Bag
