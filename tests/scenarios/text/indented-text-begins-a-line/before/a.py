class A:
    def close(self):
        self.accepting = False
        self.connecting = False
