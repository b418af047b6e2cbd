from q2 import *
