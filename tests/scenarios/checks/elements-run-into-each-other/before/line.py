APPS = ["alpha", "beta", "gamma"]
