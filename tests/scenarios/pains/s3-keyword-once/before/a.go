package a

type Foo struct {
	A int
}

func (f Foo) Sum() int {
	return f.A
}
