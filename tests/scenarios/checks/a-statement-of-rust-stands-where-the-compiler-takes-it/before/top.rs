fn run() {}

fn stop() {}
