def load(path, mode: str = "rb", *, encoding=None, errors=None, **options):
    return open(path, mode, encoding=encoding, **options)


def reset(hard=False):
    return None


class Worker:
    def run(
        self,
        first,
        orders,  # all that are open
        quiet=False
    ):
        return orders[:width]

    def stop(self, now, later, /, force=False):
        return now
