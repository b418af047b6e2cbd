package p

func a() { run() }
