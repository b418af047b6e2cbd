from pkg import a

print(f"{a=}")
