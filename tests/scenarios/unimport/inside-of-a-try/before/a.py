try:
    import x
except ImportError:
    x = None
