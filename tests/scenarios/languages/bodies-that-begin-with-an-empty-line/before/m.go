package a

func F() {

	a()
}
