/// A point.
#[derive(Debug)]
pub struct Point {
    x: i64,
}

/// Adds one.
#[inline]
pub fn add(a: i32) -> i32 {
    a + 1
}
