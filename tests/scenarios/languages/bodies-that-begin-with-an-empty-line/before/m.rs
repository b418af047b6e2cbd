mod a {

    fn x() {}
}
