package a

func f() int {
	return 1
}

func f() int {
	return 2
}
