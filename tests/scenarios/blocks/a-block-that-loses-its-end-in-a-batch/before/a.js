function f (u, y) {
  if (u) {
    b()
  }

  save(y)

  for (const x of y) {
    c(x)
  }
}
