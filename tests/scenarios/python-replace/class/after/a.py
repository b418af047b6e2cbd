class Point:
    x = 0
    y = 0

    def flip(self):
        self.x, self.y = self.y, self.x


origin = Point()
