from unittest import mock


def test():
    with mock.patch("pkg.a.send"):
        pass
