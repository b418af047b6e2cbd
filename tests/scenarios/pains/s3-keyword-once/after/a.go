package a

type Foo struct {
	A, B int
}

func (f Foo) Sum() int {
	return f.A
}
