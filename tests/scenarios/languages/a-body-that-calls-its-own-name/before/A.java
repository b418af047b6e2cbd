class A {
    int f() {
        return f(1, 2);
    }

    int f(int a, int b) {
        return a;
    }
}
