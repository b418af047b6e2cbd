enum Kind {
    A;
    int x;
}
