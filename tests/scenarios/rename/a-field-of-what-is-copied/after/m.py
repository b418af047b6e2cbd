from dataclasses import dataclass, replace
from dataclasses import replace as with_other


@dataclass
class A:
    z: int
    y: int = 0


a = A(z=1)
print(replace(a, z=3))
print(with_other(a, z=4))
