old_name = 1
