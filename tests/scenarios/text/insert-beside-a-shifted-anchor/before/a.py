class A:
    def run(self):
        if self.ready:
            self.go()
        return 1
