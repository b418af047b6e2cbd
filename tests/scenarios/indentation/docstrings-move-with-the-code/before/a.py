class A:
    class B:
        def run(self):
            return 1
