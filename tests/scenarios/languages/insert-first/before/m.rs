//! doc
fn f() {}
