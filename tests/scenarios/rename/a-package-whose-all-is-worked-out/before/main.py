from k import *

print(load(), save())
