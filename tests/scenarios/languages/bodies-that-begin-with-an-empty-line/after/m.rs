mod a {

    fn x() {}

    fn y() {}
}
