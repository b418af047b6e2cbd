def sync(users):
    for u in users:
        if u.dirty:
            u.save()
