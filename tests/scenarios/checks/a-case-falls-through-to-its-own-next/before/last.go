package a

func run(level int) {
	switch level {
	case 1:
		warn()
		fallthrough
	case 2:
		start()
	}
}
