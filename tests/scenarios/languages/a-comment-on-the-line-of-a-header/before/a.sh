f() { # local
  g
}
