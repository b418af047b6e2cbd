#[post("/a")]
fn z() -> X {
    y()
}

fn a() -> X {
    x()
}
