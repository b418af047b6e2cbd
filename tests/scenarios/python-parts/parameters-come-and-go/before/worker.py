def load(path, mode="r", *, encoding=None, **options):
    return open(path, mode, encoding=encoding, **options)


def reset():
    return None


class Worker:
    def run(
        self,
        orders,  # all that are open
        # how many at once
        width=4,
        *,
        quiet=False
    ):
        return orders[:width]

    def stop(self, now, /, force=False):
        return now
