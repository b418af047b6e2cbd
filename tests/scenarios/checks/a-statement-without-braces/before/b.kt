fun f(a: Boolean) {
    if (a)
        x()
    y()
    while (a)
        w()
    v()
}
