from pkg import *

print(f(), helper())
