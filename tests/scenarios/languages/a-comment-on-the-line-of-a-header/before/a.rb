class S # rubocop:disable Metrics/ClassLength
  def to_s # :nodoc:
    inspect
  end
end
