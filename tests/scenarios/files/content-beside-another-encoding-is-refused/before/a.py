# coding: latin-1
x = "Grüße"
