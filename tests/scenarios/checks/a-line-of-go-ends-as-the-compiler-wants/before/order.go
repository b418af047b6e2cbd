package a

import "fmt"

func show() {
	fmt.Println("a")
}
