import sys

if sys.version_info >= (3, 11):
    def now():
        return 1
else:
    def now():
        return 3
