def run(order):
    if order:
        check(order)
        for part in order:
            check(part)
        return execute(order)
    log(order)
    return None
