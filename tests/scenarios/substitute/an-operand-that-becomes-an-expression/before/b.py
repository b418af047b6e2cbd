if not ready:
    wait()
