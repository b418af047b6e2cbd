struct A {
    #[a]
    #[b]
    y: u8,
    #[a]
    z: u8,
}
