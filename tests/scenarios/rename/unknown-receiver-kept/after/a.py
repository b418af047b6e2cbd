class A:
    def execute(self):
        return 1


A().execute()
