/// A point.
#[derive(Debug)]
pub struct P {
    /// X.
    #[serde(skip)]
    x: u8,
}

/// Doubles.
#[must_use]
pub fn f() {
    a();
}

enum E {
    /// A.
    #[default]
    A,
}

/// Halves.
#[inline]
fn g() {}
