class A:
    def run(self,
            first):
        return call(first,
                    2)
