class A {
#if DEBUG
    int F() { return 1; }
    int G() { return 1; }
#endif
    int H() { return 2; }
}
