pub struct Order {
    name: Box<str>
}

impl Order {
    pub fn name(&self) -> &str {
        self.name.as_str()
    }
}
