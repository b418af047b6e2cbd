fn f() -> u8 {
    1
}

#[cfg(unix)]
fn g() {}

#[cfg(windows)]
fn g() {}

fn f(a: u8) -> u8 {
    a
}
