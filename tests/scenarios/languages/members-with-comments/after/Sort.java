enum Sort {
    A,
    B; // b

    int m() {
        return 1;
    }
}
