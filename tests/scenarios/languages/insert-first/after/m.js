"use strict"

var z = 0
b = 1
