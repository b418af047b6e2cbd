#[test]
fn t0() {
    b();
}

fn t1() {
    a();
}
