package a

const (
	A = 1 // first
	B = 2 /* b */
	X = iota // x
	Y        // y
)

var (
	E = errors.New("x") // e
)
