//! Says what this is.

fn start() {
    stop();
}

fn stop() {}
