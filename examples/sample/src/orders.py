"""What an order is."""

from worker import LIMIT


def fetch_order(number):
    return {"number": number, "limit": LIMIT}


def fetch_all(numbers):
    return [fetch_order(number) for number in numbers[:LIMIT]]
