def first():
    items = prepare(order)
    total = collect_a(items)
    return total, items


def second():
    items = prepare(order)
    total = collect_b(items)
    return total, items
