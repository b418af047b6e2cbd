pub struct Order {
    /// What it costs.
    pub price: u32,
    count: u8, // how many
}

enum State {
    Open,
    Closed(u8)
}

enum Side { Left, Right }
