from shop.util import LIMITS, fetch


def run(url):
    return fetch(url)
