from x import (
    a,
    c,
)

print(a, c)
