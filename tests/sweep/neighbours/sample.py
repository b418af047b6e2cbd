"""Several statements on a line, in every place that may have some."""
import sys; import os
debug = 0; level = 1; verbose = True
if debug: level = 2; verbose = False
else: level = 3; verbose = None
x = 1; sys.path; y = 2
z = (1,
     2); w = 3  # both
class A: one = 1; two = 2
class B:
    one = 1; two = 2
    def f(self): self.x = 1; return self.x
    three = 3; four = one; print(four)
    if debug: five = 5; six = 6
    seven = 7
for i in []: last = i; print(i)
else: done = 1; print(2)
while debug: more = 1; break
with open(os.devnull) as file: text = file.read(); size = len(text)
try: first = 1; second = 2
except ValueError: third = 3; fourth = 4
finally: fifth = 5; sixth = 6
def g(): return 1
def h():
    local = 1; return local
def k(): a = 1; b = 2; return a, b
if x:
    if y: deep = 1; deeper = 2
    elif z: deep = 3; deeper = 4
    else: deep = 5
async def l(): await g(); m = 1
@property
def n(self): pass
end = 1;
