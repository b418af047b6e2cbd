import pkg.a as core

print(core.dumps([1]))
