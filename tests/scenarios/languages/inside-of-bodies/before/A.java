class A {
    void m(int x) {
        if (x > 0) {
            go();
        }
    }
}
