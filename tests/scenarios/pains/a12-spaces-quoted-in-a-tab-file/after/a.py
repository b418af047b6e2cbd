class A:
	def a(self):
		if self:
			self.b()
			return 1
