//! `SyntaxError`: a place where a file does not parse.

/// A place where a file does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset.
    pub offset: usize,
    /// What is wrong, in the parser's words.
    pub message: String,
}

impl SyntaxError {
    /// What the readers of configuration files say of one that they do not follow to the bottom.
    const TOO_DEEP: &'static str = "values nest too deep";

    /// Returns the error of a file whose values nest deeper than its reader goes.
    pub(super) fn too_deep(offset: usize) -> SyntaxError {
        SyntaxError {
            offset,
            message: SyntaxError::TOO_DEEP.to_owned(),
        }
    }

    /// Says whether it is that one.
    pub fn is_too_deep(&self) -> bool {
        self.message == SyntaxError::TOO_DEEP
    }
}
