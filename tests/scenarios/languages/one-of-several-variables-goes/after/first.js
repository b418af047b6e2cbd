const B = 2,
	C = 3;
