package a

func f() { /* one */ //nolint:gocyclo
	g()
}

func g() { // x
}
