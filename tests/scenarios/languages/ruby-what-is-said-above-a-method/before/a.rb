class Shop < Thor
  sig { params(name: String).void }
  def open(name)
    start(name)
  end

  desc "close", "Closes it"
  method_option :now, type: :boolean
  def close
    stop
  end

  desc "list", "Lists it"
  def list
    all
  end
end
