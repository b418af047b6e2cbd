function a() { run() }
