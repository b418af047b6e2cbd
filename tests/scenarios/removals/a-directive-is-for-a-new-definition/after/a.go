package a

//go:noinline
func z() {
	y()
}

func a() {
	x()
}
