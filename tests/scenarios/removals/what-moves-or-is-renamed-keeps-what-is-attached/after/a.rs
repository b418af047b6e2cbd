mod checks {
    fn one() {}
}
