let x = 1,
  y = {
    z: 1,
  }

foo()
