fn f() -> u8 {
    1
}

#[cfg(unix)]
fn g() {}
