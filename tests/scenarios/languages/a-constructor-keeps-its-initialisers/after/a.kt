class A(val n: Int) {
    constructor(x: String, y: Int) : this(x.length) {
        go()
    }
}
