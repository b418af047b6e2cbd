package a

var sizes = []int{
	1,
	2,
}

func all() {
	for range sizes {
	}
}
