fn f(a: bool) void {
    if (a)
        x();
    y();
    while (a)
        w();
    v();
}
