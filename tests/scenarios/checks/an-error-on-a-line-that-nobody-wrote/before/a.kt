fun f(a: Int): Int {
    val x = a
        .plus(1)
        .times(2)
    return x
}
