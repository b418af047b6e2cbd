def check(token):
    return token.value
