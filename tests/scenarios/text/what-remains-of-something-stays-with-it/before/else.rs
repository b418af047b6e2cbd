fn f(a: bool, b: bool) {
    if a {
        x();
    } else {
        y();
    }
}
