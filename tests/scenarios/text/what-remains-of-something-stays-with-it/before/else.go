package a

func f(a, b bool) {
	if a {
		x()
	} else {
		y()
	}
}
