APPS = (
    "cart"
)
ONE = ("post")
TWO = (
    "cart",
    "bill"
)
KEPT = (
    "gate",
)
LISTED = [
    "roof"
]
print(
    ONE
)
