def use(thing):
    return thing.process()
