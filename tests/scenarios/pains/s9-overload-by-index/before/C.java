class C {
    void f(int a) {}
    void f(String s) {}
}
