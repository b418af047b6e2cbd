/// Says.
#[test]
fn x() {
    a();
}
