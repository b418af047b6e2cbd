from x import (
    a,
    b,  # why
    c,
)

print(a, c)
