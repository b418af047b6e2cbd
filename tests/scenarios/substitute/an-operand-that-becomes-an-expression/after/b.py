if not ready and open:
    wait()
