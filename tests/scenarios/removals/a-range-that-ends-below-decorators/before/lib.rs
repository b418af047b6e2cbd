fn one() -> u8 {
    1
}

#[test]
#[ignore]
fn two() {
    assert_eq!(one(), 1);
}
