s = "“hi”"
t = 2
