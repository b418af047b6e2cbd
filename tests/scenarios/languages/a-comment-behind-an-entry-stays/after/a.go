package a

const (
	A = 9 // first
	B = 9 // new
	X = iota // x
	Y        // y
)

var (
	E = fmt.Errorf("y") // e
)
