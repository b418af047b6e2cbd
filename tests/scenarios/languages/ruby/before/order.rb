# frozen_string_literal: true

module Shop
  class Order < Base
    LIMIT = 10

    def initialize(name)
      @name = name
    end

    # Says it.
    def to_s
      <<~TEXT
        Order
          #{@name}
      TEXT
    end

    def add(count) = @count += count
  end
end
