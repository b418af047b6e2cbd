package a

func f() int {
	return 1
}
