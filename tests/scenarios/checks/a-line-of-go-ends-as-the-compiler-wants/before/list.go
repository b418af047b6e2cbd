package a

var names = []string{
	"one",
	"two",
}
