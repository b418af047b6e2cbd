package a

var (
	A = 1
	B = 2
)
