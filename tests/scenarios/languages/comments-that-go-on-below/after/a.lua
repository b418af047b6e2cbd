local x = 1 --[[ long
 tail ]]
local z = 1
local y = 2

return x
