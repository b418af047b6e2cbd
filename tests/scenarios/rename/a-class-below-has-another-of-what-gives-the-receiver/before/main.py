from a import Job, Null


class View:
    handler_class = Null

    def go(self):
        return self.handler_class().run()


class JobView(View):
    handler_class = Job


class Q:
    def make(self):
        return Null()

    def go(self):
        return self.make().run()


class R(Q):
    def make(self):
        return Job()
