def handle_early():
	flush()
	return None


def handle_target():
	if a:
		flush()
		return None
