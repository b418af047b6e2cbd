fn first() -> u8 {
    let one = 1;
    one
}

fn last() -> u8 {
    let two = 2;
    let three = 3;
    two + three
}
