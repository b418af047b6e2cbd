from a import *

fetch("x")
