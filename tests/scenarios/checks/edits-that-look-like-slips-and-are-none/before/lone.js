function f(x) {
  if (!x)
    return null;
  return x.y;
}
