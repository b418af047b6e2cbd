//! `GuideFile`: a file that tells an agent of this program.

/// One file of a guide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GuideFile {
    /// Relative to the folder that the guide goes to, with `/`.
    pub path: String,
    /// What it holds, or gets.
    pub text: String,
    /// Whose file it is.
    pub role: GuideRole,
}

/// How much of a file a guide has a say in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GuideRole {
    /// All of it.
    Whole,
    /// The region of this name.
    Region(&'static str),
    /// The entry at this key, from the outside in, with this value.
    Entry(Vec<&'static str>, String),
}
