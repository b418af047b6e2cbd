package a

func load(p string) {
	read(p)
}

func wipe(p string) {
	if ok(p) {
		unlink(p)
	}
	dropTable(p)
}
