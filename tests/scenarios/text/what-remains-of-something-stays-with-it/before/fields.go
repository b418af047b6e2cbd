package a

type A struct {
	X int
	Y int
}
