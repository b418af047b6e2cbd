class A:
  def run(self):
    for x in self:
      yield x

  def stop(self):
    return 2
