package a

// F does.
func F() {
	g()
}
