pub struct S;

impl S {
    pub fn new() -> Self {
        S
    }
}
