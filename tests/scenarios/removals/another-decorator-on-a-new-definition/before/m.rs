#[get("/a")]
fn a() -> X {
    x()
}
