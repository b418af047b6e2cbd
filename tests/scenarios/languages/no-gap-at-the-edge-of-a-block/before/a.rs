impl A {
    fn a() {}

    fn b() {}

    fn c() {}
}
