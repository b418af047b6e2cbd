ok = not ready
