const f = (x: number) => {
  if (x > 0) {
    go()
  }
}
