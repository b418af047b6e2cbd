package a

//nolint:gocyclo
func C1() {}

// C2 does it.
//
//go:noinline
func C2() {}

//nolint:gocyclo
func C3() {}
