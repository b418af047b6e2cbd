package a

// f does.
func f(x int) {
}
