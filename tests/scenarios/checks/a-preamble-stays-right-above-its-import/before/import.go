package a

/*
#include <math.h>
*/
import "C"

import "fmt"

func Sqrt(x float64) { fmt.Println(C.sqrt(C.double(x))) }
