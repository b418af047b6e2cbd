def handle_early():
	if early:
		flush()
		return None
	return 1


def handle_target():
	if a:
		if b:
			log()
			flush()
			return None
	return 2
