const f = (x: number) => {
  first()
  if (x > 0) {
    go()
  }
  last()
}
