#[derive(Debug)]
struct S;

#[test]
fn f() {}
