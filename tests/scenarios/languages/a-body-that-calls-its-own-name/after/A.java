class A {
    int f() {
        return f(1, 3);
    }

    int f(int a, int b) {
        return a;
    }
}
