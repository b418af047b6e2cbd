class A
  private def h
    2
  end

  memoize def m(a)
    slow(a, 1)
  end

  private_class_method def self.k = 2

  public def g
    3
  end
end
