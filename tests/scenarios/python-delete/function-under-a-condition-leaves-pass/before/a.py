try:
    import fast
except ImportError:
    def fallback():
        return 1


def main():
    return 2
