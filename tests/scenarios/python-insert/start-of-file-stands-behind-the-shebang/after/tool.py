#!/usr/bin/env python3
import os
import sys

print(sys.argv)
