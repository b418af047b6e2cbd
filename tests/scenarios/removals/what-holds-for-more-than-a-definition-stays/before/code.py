import os


# Fits them.
def fit(rows):
    return rows


# pylint: disable=invalid-name
def f(x):
    return x


# %% Plots
# Draws it.
def draw():
    return 1


# pylint: disable-next=invalid-name
def g(x):
    return x


# nosec begin
def run(command):
    return os.system(command)
# nosec end
