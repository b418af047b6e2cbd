fn f(x: u8) {
    first();
    if x > 0 {
        go();
    }
    last();
}
