function f(p) {
  if (!p)
    return;
  work(p);
}
