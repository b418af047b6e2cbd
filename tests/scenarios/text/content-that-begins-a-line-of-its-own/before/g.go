package a

func f(x int) {
}
