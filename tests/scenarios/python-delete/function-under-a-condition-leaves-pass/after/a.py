try:
    import fast
except ImportError:
    pass


def main():
    return 2
