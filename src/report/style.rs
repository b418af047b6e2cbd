//! `Style`: how a report is written, and `Rendered`: what goes to which stream.

/// A report, ready to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rendered {
    /// For standard output. Bytes, because a diff holds bytes of files.
    pub stdout: Vec<u8>,
    /// For standard error.
    pub stderr: String,
}

/// How a report for people is dressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReportStyle {
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
pub(crate) enum Verbosity {
    /// Refusals only.
    Quiet,
    /// Results and refusals.
    Normal,
}

impl ReportStyle {
    /// Plain text of 80 columns, exact: what a pipe gets.
    pub(crate) const PLAIN: ReportStyle = ReportStyle {
        stdout_colour: false,
        stderr_colour: false,
        terminal: false,
        hints: false,
        width: 80,
        verbosity: Verbosity::Normal,
    };
}
