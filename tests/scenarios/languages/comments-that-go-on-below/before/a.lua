local x = 1 --[[ long
 tail ]]
local y = 2

local function f()
end --[[ f
 ends ]]

return x
