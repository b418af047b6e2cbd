import pkg

print(pkg.width)
