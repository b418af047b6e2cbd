def run(order):
    checked = check(order)
    return execute(checked)
