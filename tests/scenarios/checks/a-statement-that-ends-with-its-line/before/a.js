const a = load()
next()
