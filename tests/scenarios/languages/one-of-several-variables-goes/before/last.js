const A = 1, // about A
	// about B
	B = 2, // about B
	/* about C */
	C = 3; // end
