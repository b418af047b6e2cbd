package a

const (
	Z = 0
	C = 1
)
