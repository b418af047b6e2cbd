mod p {
    pub struct S;
    impl S {
        fn a(&self) -> u8 {
            1
        }
    }
}
