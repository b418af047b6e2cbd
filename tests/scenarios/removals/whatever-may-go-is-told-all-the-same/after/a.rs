fn b() {}
fn f() {}
