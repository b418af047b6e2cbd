package a

// F does it.
func F(x int) {
	g()
}
