class A {
    int f(int a) {
        return 1;
    }

    int f(long a) {
        return 2;
    }

    int f(int b) {
        return 3;
    }
}
