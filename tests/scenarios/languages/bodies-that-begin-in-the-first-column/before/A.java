class A {
//    int old;
    int x;

    void m() {
//        old();
        a();
    }
}
