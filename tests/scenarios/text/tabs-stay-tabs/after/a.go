package a

func f(x int) int {
	if x > 0 {
		if x > 9 {
			return 9
		}
		return x
	}
	return 0
}
