def pay(u):
    if u.blocked:
        return "refuse"
    elif u.rich:
        return "gold"
    else:
        return "plain"
