print(old_name)
