from pkg import Shown
from pkg.core import Thing

print(Shown(), Thing())
