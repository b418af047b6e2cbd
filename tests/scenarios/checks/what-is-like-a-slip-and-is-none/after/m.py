class A:
    x = 1

    class Meta:
        y = 2
