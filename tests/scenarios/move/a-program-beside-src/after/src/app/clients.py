class Client:
    def fetch(self): return "x"
