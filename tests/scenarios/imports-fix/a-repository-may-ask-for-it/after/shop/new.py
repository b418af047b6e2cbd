print(helper(1))
