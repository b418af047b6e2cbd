function c() { run() }
