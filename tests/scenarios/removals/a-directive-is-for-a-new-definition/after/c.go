package a

//go:noinline
func aa() {
	x()
}
