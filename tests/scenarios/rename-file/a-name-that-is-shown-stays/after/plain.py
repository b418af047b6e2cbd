from pkg import b

print(f"{b}", b.f() == 1)
