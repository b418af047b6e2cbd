from ns.sub.a import f

print(f())
