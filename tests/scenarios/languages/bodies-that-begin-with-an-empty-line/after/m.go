package a

func F() {

	b()
	c()
}
