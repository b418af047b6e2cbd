class A
  def f
    1
  end

  def m
    p
  end
end
