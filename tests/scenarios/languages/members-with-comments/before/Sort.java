enum Sort {
    A,
    B, // b
}
