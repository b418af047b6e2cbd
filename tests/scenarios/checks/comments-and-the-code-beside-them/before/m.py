def save(user):
    # user.touch()
    user.write()
