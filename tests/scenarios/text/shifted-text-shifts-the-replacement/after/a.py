class A:
    def run(self):
        if self.ready:
            self.log()
            self.go()
        return 1
