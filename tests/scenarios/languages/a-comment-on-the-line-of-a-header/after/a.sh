f() { # local
  h
}
