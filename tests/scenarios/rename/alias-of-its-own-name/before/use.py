import pkg

print(pkg.x)
