locals { # a
         # b
  x = 1
  z = 1
}
