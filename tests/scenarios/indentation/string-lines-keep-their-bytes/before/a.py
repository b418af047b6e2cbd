class A:
    def sql(self):
        return ""
