fn f() -> u8 {
    return 1;
    // that is all
}
