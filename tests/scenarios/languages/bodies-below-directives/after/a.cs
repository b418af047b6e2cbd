class A {
    void F() {
#if X
        G();
#endif
        H();
        K();
    }
}

class B {
    int c;
#region r
    int x;
#endregion
    void F() {}
}
