print(new_name)
