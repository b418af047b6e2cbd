class A {
    void f() {
        run();
    }

    void g() {}
}
