class B { x = 1 }
