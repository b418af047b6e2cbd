impl A {
    fn b() {}
}
