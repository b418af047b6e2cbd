class Reader:
    def read(self):
        return 1
