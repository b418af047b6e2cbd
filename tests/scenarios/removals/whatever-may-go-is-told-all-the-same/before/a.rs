fn a() {}

#[test]
fn f() {}
