fn f(x: u8) {
    if x > 0 {
        go();
    }
}
