class A:
    def run(self):
        if self.ready:
            return 1
        return 0

    def stop(self):
        return 2
