package a

func count(n int) int {
	n++
	return n
}
