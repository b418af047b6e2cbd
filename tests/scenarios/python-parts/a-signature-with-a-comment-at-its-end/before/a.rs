fn f(a: u8) -> u8 {
    a
}
