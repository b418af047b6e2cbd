from a import *

load("x")
