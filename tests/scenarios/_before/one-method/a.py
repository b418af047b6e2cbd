class A:
    def run(self):
        return 1
