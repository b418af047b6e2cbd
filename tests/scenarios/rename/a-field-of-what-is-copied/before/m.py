from dataclasses import dataclass, replace
from dataclasses import replace as with_other


@dataclass
class A:
    x: int
    y: int = 0


a = A(x=1)
print(replace(a, x=3))
print(with_other(a, x=4))
