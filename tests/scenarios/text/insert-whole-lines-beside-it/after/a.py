import abc
import os
import re
import sys

print(os, sys)
