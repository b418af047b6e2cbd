from pkg import Public
from pkg.core import Thing

print(Public(), Thing())
