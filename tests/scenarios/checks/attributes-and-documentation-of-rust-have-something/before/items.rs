//! Says what this is.

/// Starts.
fn start() {}

/// Stops.
fn stop() {}
