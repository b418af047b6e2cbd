package a

type S struct{}

func (s *S) M(x int) {
	first()
	switch x {
	case 1:
		go1()
	}
	last()
}
