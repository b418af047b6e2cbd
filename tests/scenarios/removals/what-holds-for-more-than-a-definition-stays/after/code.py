import os


# Fits them.
def fit(rows):
    return rows


# pylint: disable=invalid-name


def e(x):
    return -x


def f(x):
    return x


# %% Plots


# nosec begin
def run(command):
    return os.system(command, 1)
# nosec end
