class Sums {
    /** Adds. */
    int sum(int a) {
        return a;
    }

    int sum(int a, int b) {
        return a + b;
    }
}
