pub struct Order {
    /// What it costs.
    pub price: u32,
    count: u16, // how many
    /// Where.
    place: String,
}

enum State {
    Open,
    Closed(u8),
    Lost
}

enum Side { Right, Both }
