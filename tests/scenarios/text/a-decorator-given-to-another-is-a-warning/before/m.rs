#[test]
fn t1() {
    a();
}
