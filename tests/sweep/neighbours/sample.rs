//! Several items on a line, in every place that may have some.
use std::fmt; const A: i32 = 1; static B: i32 = 2;
const C: i32 = 3; fn one() { print(C); } fn two() {}
struct D { x: i32, y: i32 } struct E;
enum F { G, H(i32) } impl E { const I: i32 = 1; fn three(&self) -> i32 { 1 } fn four(&self) {} }
type J = i32; mod inner { pub const K: i32 = 1; pub fn five() {} }
trait L { const M: i32; fn six(&self); fn seven(&self) {} }
#[derive(Debug)] struct N(i32); #[inline] fn eight() { one(); two() }
macro_rules! nine { () => {} } nine!(); fn ten() { let a = 1; let b = 2; fn eleven() {} a + b; }
impl fmt::Display for E {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { const O: i32 = 1; two(); Ok(()) }
}
fn print(x: i32) -> i32 {
    const P: i32 = 1; x + P
}
/// Told.
pub const Q: i32 = 4; pub const R: i32 = 5;
