class A:
    def close(self):
        self.file.close()

    def run(self): pass


class C:
    x = 1
