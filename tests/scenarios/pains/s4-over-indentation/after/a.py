class A:
    def run(self):
        return 10

    def stop(self):
        return 20
