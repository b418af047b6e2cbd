def check(tok):
    return token.value
