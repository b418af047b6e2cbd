//! What is written otherwise in CSS and in the languages that are made into it.

/// CSS, or one that is made into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StyleDialect {
    /// As browsers read it.
    Css,
    /// Sass in braces.
    Scss,
    /// Less.
    Less,
}

impl StyleDialect {
    /// Says whether `//` begins a comment that ends with its line.
    pub(super) fn has_line_comments(self) -> bool {
        self != StyleDialect::Css
    }

    /// Returns the sign before the brace of what is computed: `#{$a}`, `@{a}`.
    pub(super) fn computes(self) -> Option<u8> {
        match self {
            StyleDialect::Css => None,
            StyleDialect::Scss => Some(b'#'),
            StyleDialect::Less => Some(b'@'),
        }
    }
}
