use std::fmt;

#[test]
fn f() {}
