const a = L(1) // c go()
foo()
