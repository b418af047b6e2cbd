from pkg import a

print(f"{a}", a.f() == 1)
