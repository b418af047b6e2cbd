var a = 1
"use strict"
undeclared = 1
