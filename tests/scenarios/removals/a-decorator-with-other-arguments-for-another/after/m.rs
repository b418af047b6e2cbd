#[get("/z")]
fn z() -> X {
    y()
}

fn a() -> X {
    x()
}
