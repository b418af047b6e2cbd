#[cfg(unix)]
fn p() {}
#[cfg(windows)]
fn p() { win(); }
