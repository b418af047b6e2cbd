if ready:
    start()
    go()

print "done"
