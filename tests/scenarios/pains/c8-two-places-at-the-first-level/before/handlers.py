def handle_early():
	if early:
		flush()
		return None
	return 1


def handle_target():
	if a:
		if b:
			flush()
			return None
	return 2
