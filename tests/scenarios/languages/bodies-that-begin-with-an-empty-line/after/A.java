class A {

    int x;

    void m() {

        c();
    }

    void n() {
        b();
    }
}
