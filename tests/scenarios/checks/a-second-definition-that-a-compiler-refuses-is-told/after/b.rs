#[cfg(windows)]
fn p() { win(); }
#[cfg(windows)]
fn p() { win(); }
