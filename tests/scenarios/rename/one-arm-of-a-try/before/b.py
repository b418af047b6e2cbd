try:
    from fast import load
except ImportError:
    from a import load

load("x")
