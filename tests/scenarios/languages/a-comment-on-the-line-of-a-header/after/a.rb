class S # rubocop:disable Metrics/ClassLength
  def to_s # :nodoc:
    max = 20
  end
end
