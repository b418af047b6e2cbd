class A:
    def run(self):
        a = 1

        return a
