package a

var (
	// A is one.
	A = 1
	B = 2
)
