class A {
#ifdef X
    int x;
#endif
    void f() {}
};
