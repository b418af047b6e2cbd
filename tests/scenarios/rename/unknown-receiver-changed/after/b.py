def use(thing):
    return thing.execute()
