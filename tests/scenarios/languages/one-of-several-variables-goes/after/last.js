const A = 1, // about A
	// about B
	B = 2; // about B
