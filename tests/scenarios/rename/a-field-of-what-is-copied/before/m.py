from dataclasses import dataclass, replace


@dataclass
class A:
    x: int
    y: int = 0


a = A(x=1)
print(replace(a, x=3))
