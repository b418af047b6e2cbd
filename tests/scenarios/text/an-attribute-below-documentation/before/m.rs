/// A point.
pub struct P {
    /// X.
    x: u8,
}

/// Doubles.
pub fn f() {
    a();
}

enum E {
    /// A.
    A,
}

/// Halves.
fn g() {}
