class A(val n: Int) {
    constructor(x: String) : this(x.length) {
        go()
    }
}
