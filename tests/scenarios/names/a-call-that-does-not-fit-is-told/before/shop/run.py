from shop.util import fetch


def run(url):
    return fetch(url)
