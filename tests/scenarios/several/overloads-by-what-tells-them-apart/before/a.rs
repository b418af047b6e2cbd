impl From<u8> for S {
    fn from(a: u8) -> S {
        S
    }
}

impl From<u16> for S {
    fn from(a: u16) -> S {
        S
    }
}
