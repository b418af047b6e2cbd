class Order {
    #if DEBUG
    func dbg() {}
    func dbg2() {}
    #endif
    func disc() -> Int { 1 }
}
