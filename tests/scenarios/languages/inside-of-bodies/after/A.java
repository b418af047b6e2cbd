class A {
    void m(int x) {
        first();
        if (x > 0) {
            go();
        }
        last();
    }
}
