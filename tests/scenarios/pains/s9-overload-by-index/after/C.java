class C {
    void f(int a) {}
    void f(Object s) {}
}
