s = "“hi”"
t = 1
