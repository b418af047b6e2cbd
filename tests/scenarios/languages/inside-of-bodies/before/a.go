package a

type S struct{}

func (s *S) M(x int) {
	switch x {
	case 1:
		go1()
	}
}
