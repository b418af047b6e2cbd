let x = 1

foo()
