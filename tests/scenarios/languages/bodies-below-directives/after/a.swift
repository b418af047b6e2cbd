class A {
#if X
    let x = 1
#endif
    func f() {}

    let c = 1
}
