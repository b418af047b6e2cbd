struct A {
    #[a]
    y: u8,
}
