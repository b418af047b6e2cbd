package a

// A is one.
type A struct{}

// B is another.
type B struct{}

// Sum adds
// both.
func (a A) Sum(x, y int) int {
	z := x + y
	return z
}
