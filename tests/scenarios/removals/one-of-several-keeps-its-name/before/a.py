import sys

if sys.platform == "win32":

    def send(a):
        return 1

else:

    def send(a):
        return 2
