//! Words for people and programs: the same values as text, JSON, SARIF and CI annotations.
//!
//! Pure: an `Outcome` comes in, a `Rendered` goes out; whoever calls writes it. Results are for standard output,
//! talk and diagnostics for standard error, in every format. Deliberately not here: whether there is a terminal.
//!
//! | file | holds |
//! |---|---|
//! | `human` | what a person reads after a batch |
//! | `segments` | what a person reads of `outline`, `show` and `find` |
//! | `judged` | what a person reads after `check` judged what is there already |
//! | `history` | what `log`, `show-batch`, `history prune` and `recover` say |
//! | `conversation` | the talk with a model that a batch came from |
//! | `hooks` | the hooks of a repository, for people and for programs |
//! | `index` | what there is of the index of segments, for people and for programs |
//! | `diagnostics` | refusals in the manner of rustc, with the operation file's own line |
//! | `patch` | a unified diff made readable on a terminal |
//! | `json` | the report, version 1 |
//! | `sarif`, `github` | refusals and findings for code scanning and for CI logs |
//! | `tools` | what `trust` and `validators` say |

pub mod conversation;
pub mod diagnostics;
pub mod github;
pub mod history;
pub mod hooks;
pub mod human;
pub mod index;
pub mod json;
pub mod judged;
pub mod patch;
pub mod sarif;
pub mod segments;
pub mod tools;

/// A report, ready to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// For standard output. Bytes, because a diff holds bytes of files.
    pub stdout: Vec<u8>,
    /// For standard error.
    pub stderr: String,
}

/// How a report for people is dressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Colour what goes to standard output.
    pub stdout_colour: bool,
    /// Colour what goes to standard error.
    pub stderr_colour: bool,
    /// Standard output is read on a terminal: control characters are shown escaped, and nothing has to be exact.
    pub terminal: bool,
    /// A person reads standard error, and wants to be told what could come next.
    pub hints: bool,
    /// Columns that may be used.
    pub width: usize,
    /// How much is said.
    pub verbosity: Verbosity,
}

/// How much is said to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    /// Refusals only.
    Quiet,
    /// Results and refusals.
    Normal,
}

impl Style {
    /// Plain text of 80 columns, exact: what a pipe gets.
    pub const PLAIN: Style = Style {
        stdout_colour: false,
        stderr_colour: false,
        terminal: false,
        hints: false,
        width: 80,
        verbosity: Verbosity::Normal,
    };
}

/// The colours of the house, as git uses them.
pub(crate) mod colour {
    use anstyle::{AnsiColor, Style};

    /// A word that says that all is well.
    pub const GOOD: Style = AnsiColor::Green.on_default().bold();
    /// A word that says that something is refused.
    pub const BAD: Style = AnsiColor::Red.on_default().bold();
    /// A word that asks for attention.
    pub const ODD: Style = AnsiColor::Yellow.on_default().bold();
    /// An id or a hash, as git shows commits.
    pub const ID: Style = AnsiColor::Yellow.on_default();
    /// What may be passed over.
    pub const FAINT: Style = Style::new().dimmed();
    /// What the eye should find.
    pub const STRONG: Style = Style::new().bold();

    /// Returns `text` in `style`, or as it is when colours are off.
    pub fn paint(on: bool, style: Style, text: &str) -> String {
        if on {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// Adds `text` in `style`, or as it is when colours are off, to what is said already.
    pub fn paint_onto(said: &mut String, on: bool, style: Style, text: &str) {
        if on {
            said.push_str(&paint(on, style, text))
        } else {
            said.push_str(text)
        }
    }
}

#[cfg(test)]
mod tests;
