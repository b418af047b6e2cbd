fn one() -> u8 {
    1
}

#[test]
fn two() {}
