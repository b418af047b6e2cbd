import numpy as np

from shop.tools import helper


def total(rows):
    return np.array(helper(rows)).sum()
