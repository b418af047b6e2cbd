def f
  if u
    b
  end

  save

  y.each do |x|
    c
  end
end
