class A {
    int f(int a) {
        return 1;
    }
}
