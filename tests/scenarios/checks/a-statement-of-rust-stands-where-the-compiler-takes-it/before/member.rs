struct A;

impl A {
    fn size(&self) -> u8 {
        1
    }
}
