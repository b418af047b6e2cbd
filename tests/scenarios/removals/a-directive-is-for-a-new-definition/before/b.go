package a

//go:noinline
func a() {
	x()
}
