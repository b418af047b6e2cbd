package a

// C1 does.
//
//nolint:gocyclo
func C1() {}

// C2 does.
//
//go:noinline
func C2() {}

//nolint:gocyclo
func C3() {}
