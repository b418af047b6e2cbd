from pkg import b as a

print(f"{a=}")
