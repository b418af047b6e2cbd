enum Kind {
    A, B;
    int x;
}
