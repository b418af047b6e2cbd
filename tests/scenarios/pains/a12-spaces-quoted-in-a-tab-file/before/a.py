class A:
	def a(self):
		if self:
			return 1
