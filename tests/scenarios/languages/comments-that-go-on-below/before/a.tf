locals { # a
         # b
  x = 1
}
