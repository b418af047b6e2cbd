class A {

    int x;

    void m() {

        a();
    }
}
