function a() {run()}

function b() { run() }
