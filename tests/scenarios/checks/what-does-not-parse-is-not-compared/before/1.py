if ready:
    start()

print "done"
