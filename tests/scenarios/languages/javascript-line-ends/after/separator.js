const a = 2 // c go()
foo()
