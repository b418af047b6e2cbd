def pay(u):
    if u.blocked:
        refuse(u)
        log(u)
    else:
        accept(u)


class A:
    def f(self):
        return 1
