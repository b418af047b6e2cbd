package a

func size() int {
	return 1
}
