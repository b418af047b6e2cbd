class Shop
  def one
    1
  end

  def two
    2
  end
end
