func f(_ a: Int, x: Int) -> Int {
    return a
}
