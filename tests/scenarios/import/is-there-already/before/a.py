try:
    from x import a, y
except ImportError:
    y = None
