APPS = (
    "shop",
)
ONE = ("mail",)
TWO = (
    "cart",
    "till",
)
KEPT = (
    "door",
)
LISTED = [
    "wall",
]
print(
    APPS,
)
