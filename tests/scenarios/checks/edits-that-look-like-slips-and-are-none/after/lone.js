function f(x) {
  if (!x)
    return null;
  log(x);
  return x.y;
}
