local M = {}

local limit = 10

--- Says it.
function M.say(order)
  return order.name
end

function M:add(count)
  self.count = self.count + count
end

return M
