package a

func f() int {
	first := computeTotal(1)

	cache.normalise(first)
	return first
}
