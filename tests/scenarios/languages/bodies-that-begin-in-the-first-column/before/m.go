package a

func F() {
L:
	for {
		break L
	}
}
