def f(a, z, k:, o: 3, **kw)
  a
end
