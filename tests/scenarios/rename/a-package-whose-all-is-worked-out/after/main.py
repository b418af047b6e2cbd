from k import *

print(fetch(), save())
