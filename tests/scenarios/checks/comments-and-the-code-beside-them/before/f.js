f(
  debug, a,
  b);
