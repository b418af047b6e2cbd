class Sums {
    int sum(int a) {
        return a;
    }

    /** Adds both. */
    int sum(int a, int b) {
        return a + b;
    }
}
