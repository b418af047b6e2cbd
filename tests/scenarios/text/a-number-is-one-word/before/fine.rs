fn f(pair: ((u8, u8), u8)) -> u8 {
    pair.0.1
}
