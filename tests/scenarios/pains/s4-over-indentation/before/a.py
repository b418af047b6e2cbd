class A:
    def run(self):
        return 1

    def stop(self):
        return 2
