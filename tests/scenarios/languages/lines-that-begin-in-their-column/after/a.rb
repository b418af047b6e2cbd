class A
  def f
=begin
  one
=end
    2
  end

  def m
    x = %w[
      a
      b
    ]
  end
end
