package a

import "fmt"

func g() {}

func f() { fmt.Println() }
