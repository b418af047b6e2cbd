class A:
	def a(self):
		return 1
