class A
  private def h
    1
  end

  memoize def m(a)
    slow(a)
  end

  private_class_method def self.k = 1

  private def g
    1
  end
end
