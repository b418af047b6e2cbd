package a

func f() {
	if y {
		h()
	} else if x {
		g()
	}
}
