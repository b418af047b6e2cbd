from shop.core.a import f
from shop.util import h

print(f(), h())
