package a

// A is one.
type A struct{}

// B is another.
type B struct{}

func (b B) Sum(x, y int) int {
	z := x + y
	return z
}
