void f() {
	if (x) {
		if (z) {
			y();
		}
	}
}
