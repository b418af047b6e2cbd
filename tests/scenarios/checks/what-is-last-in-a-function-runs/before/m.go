package a

func f() int {
	a()
	return 1
}
