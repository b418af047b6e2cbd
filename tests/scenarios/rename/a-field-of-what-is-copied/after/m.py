from dataclasses import dataclass, replace


@dataclass
class A:
    z: int
    y: int = 0


a = A(z=1)
print(replace(a, z=3))
