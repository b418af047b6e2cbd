# frozen_string_literal: true

module Shop
  class Order < Base
    LIMIT = 10

    def initialize(name)
      super()
      @name = name
    end

    # How many.
    def size
      @size
    end

    # Says it.
    def to_s
      <<~TEXT
        Order
          #{@name}
      TEXT
    end
  end
end
