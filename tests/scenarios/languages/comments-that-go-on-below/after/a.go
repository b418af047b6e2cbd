package a

func f() {
} /* end
 of f */

func h() {}

func g() {}
