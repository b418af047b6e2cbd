package a

func f() {
} /* end
 of f */

func g() {}
