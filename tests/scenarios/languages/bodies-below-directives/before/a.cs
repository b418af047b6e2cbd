class A {
    void F() {
#if X
        G();
#endif
        H();
    }
}

class B {
#region r
    int x;
#endregion
    void F() {}
}
