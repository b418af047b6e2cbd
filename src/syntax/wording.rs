//! `Wording`: whether a word is code, or what code says to people and at run time.

/// What a word of a file is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// Code: a name, or a word of the language.
    Code,
    /// A key of an object or a member of a type, where values are compared by what they have.
    Property,
    /// A word for a key and its value: `{name}` of JavaScript.
    ShortForm,
    /// A comment.
    Comment,
    /// A string, a pattern, a text between tags.
    Text,
}
