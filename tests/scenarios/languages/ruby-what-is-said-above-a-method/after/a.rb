class Shop < Thor
  def self.build
    new
  end

  sig { params(name: String).void }
  def open(name) = start(name)

  desc "list", "Lists everything"
  def list
    all.sort
  end
end
