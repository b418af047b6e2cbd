class A:
    def process(self):
        return 1


A().process()
