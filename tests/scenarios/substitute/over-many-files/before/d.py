old_name = 2
