class A {
//    int old;
    int x;

    void m() {
        c();
    }

    void n() {
        b();
    }
}
