package a

import "fmt"

// These are few.
const (
	// One is one.
	One = 1
)

func f() { fmt.Println() }
