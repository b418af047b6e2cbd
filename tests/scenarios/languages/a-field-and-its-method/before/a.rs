pub struct Order {
    name: String,

    price: u32
}

impl Order {
    pub fn name(&self) -> &str {
        &self.name
    }
}
