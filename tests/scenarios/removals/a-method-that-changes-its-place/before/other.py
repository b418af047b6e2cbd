class C:
    def stays(self):
        return 1
