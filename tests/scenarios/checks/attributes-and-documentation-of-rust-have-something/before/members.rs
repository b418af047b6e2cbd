struct A {
    /// How wide.
    width: u8,
}

impl A {
    /// How much.
    fn size(&self) -> u8 {
        match self.width {
            0 => 1,
            _ => 2,
        }
    }
}
