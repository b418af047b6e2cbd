package a

//go:noinline
func f() {
	a()
}
