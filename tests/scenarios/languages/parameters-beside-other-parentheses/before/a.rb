def f(a, k:, o: 3, **kw)
  a
end
