//! `Format`: which configuration languages there are.

/// A configuration language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON to the letter.
    Json,
    /// JSON with comments, trailing commas and whatever else JSON5 allows.
    Jsonc,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Format {
    /// Returns what begins a comment that runs to the end of its line.
    pub fn line_comment(self) -> &'static str {
        match self {
            Format::Json | Format::Jsonc => "//",
            Format::Toml | Format::Yaml => "#",
        }
    }
}
