func f(y: Int) {
    switch y {
    case 1:
        a()
        fallthrough
    case 2:
        b()
    default:
        break
    }
}
