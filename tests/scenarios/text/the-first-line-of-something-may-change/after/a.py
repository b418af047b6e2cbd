def pay(u):
    if u.old:
        forget(u)
    if u.blocked and u.known:
        warn(u)
        refuse(u)
        log(u)
    else:
        accept(u)


class A(Base):
    x = 1
    def f(self):
        return 1
