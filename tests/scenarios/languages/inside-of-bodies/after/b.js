const f = async a => {
  check(a)
  return a
}
