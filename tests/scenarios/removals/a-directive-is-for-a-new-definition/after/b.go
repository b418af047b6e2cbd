package a

//go:noinline
func z() {
	y()
}

//go:noinline
func a() {
	x()
}
