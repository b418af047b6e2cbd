package a

const (
	C = 1
)
