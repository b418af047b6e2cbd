//! `Format`: which configuration languages there are.

/// A configuration language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFormat {
    /// JSON to the letter.
    Json,
    /// JSON with comments, trailing commas and whatever else JSON5 allows.
    Jsonc,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl KeyFormat {
    /// Returns what begins a comment that runs to the end of its line.
    pub fn line_comment(self) -> &'static str {
        match self {
            KeyFormat::Json | KeyFormat::Jsonc => "//",
            KeyFormat::Toml | KeyFormat::Yaml => "#",
        }
    }
}
