struct S {
    /// How many.
    // unit: ms
    a: i32,
}
