class A:
    class B:
        class C:
            def run(self):
                return 1

    def run(self):
        return 2


def run():
    return 3
