package a

func f() { /* one */ //nolint:gocyclo
	g()
	g()
}

func g() { // x
	f()
}
