/// Half.

fn half(a: u8) -> u8 {
    a
}
