timeout = compute_all(first)
