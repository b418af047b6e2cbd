/// A point.
#[derive(Debug)]
pub struct Point {
    x: i32,
}

/// Adds.
#[inline]
pub fn add(a: i32) -> i32 {
    a
}
