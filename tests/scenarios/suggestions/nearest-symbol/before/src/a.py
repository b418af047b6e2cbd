class Parser:
    def emits(self):
        return 1
