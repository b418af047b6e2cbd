contract C { function f(bool a) public {
    if (a)
        x();
    y();
    while (a)
        w();
    v();
} }
