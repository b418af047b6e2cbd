"use strict"
b = 1
