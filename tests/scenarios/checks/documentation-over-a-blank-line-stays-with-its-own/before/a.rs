const LIMIT: u8 = 1;

/// Half.

fn half(a: u8) -> u8 {
    a
}
