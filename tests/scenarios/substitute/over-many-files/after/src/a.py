new_name = 1
