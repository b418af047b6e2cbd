class A:
	def a(self):
		return 1

	def b(self):
		if self:
			return 2
