class A:
    def run(self):
        if self.ready:
            self.go()
        self.log()
        return 1
