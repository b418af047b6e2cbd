//! `Unit`: one step of indentation, a tab or so many spaces.

/// A step of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// One tab.
    Tab,
    /// So many spaces, at least 1.
    Spaces(usize),
}

impl Unit {
    /// Returns the unit that `white` stands for: a tab if it begins with one, else so many spaces; `None` if empty.
    pub fn from_white(white: &str) -> Option<Unit> {
        match white.as_bytes() {
            [] => None,
            [b'\t', ..] => Some(Unit::Tab),
            spaces => Some(Unit::Spaces(spaces.len())),
        }
    }

    /// Returns `count` steps as bytes.
    pub fn steps(self, count: usize) -> Vec<u8> {
        match self {
            Unit::Tab => vec![b'\t'; count],
            Unit::Spaces(width) => spaces(width.saturating_mul(count)),
        }
    }
}

/// Returns an indentation of `count` spaces.
pub fn spaces(count: usize) -> Vec<u8> {
    vec![b' '; count]
}
