from a import LIMIT

top = LIMIT
