class Shop
  def one
    1
  end

  def two
    2
  end

  private

  def helper
    3
  end
end
