class Client:
    def fetch(self): return "x"
class Other: pass
