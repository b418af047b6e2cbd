local M = {}

--- Says it.
function M.say(order)
  if not order then
    return ""
  end
  return order.name
end

function M:add(count)
  self.count = self.count + count
end

function M:take(count)
  self:add(-count)
end

return M
