//! The presets: tools whose command lines, exit codes and output this program knows.

use super::{Output, Ranges, Scope, Severity};

/// A validator that a repository may ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct ValidatorPreset {
    /// Its name.
    pub name: &'static str,
    /// Other names that people use for it.
    pub aliases: &'static [&'static str],
    /// Which paths are its business, unless the repository says otherwise.
    pub files: &'static [&'static str],
    /// The program and its arguments; `{files}` is replaced by the repository's `args`, if it gives any.
    pub command: &'static [&'static str],
    /// Variables it needs.
    pub env: &'static [(&'static str, &'static str)],
    /// The files that configure it.
    pub configured_by: &'static [&'static str],
    /// Folders of the worktree that it borrows.
    pub borrows: &'static [&'static str],
    /// Folders of the worktree whose programs come first.
    pub programs: &'static [&'static str],
    /// What it is shown.
    pub scope: Scope,
    /// How it says what it found.
    pub output: Output,
    /// The exit codes by which it says so.
    pub verdicts: &'static [i32],
    /// The least severity that counts.
    pub counts: Severity,
}

/// A formatter that a repository may ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct FormatterPreset {
    /// Its name.
    pub name: &'static str,
    /// Which paths are its business, unless the repository says otherwise.
    pub files: &'static [&'static str],
    /// The program and its arguments, with `{range}` and `{file}`.
    pub command: &'static [&'static str],
    /// The words that `{range}` stands for.
    pub range: &'static [&'static str],
    /// How many ranges one run takes.
    pub ranges: Ranges,
    /// The files that configure it.
    pub configured_by: &'static [&'static str],
    /// Folders of the worktree that it borrows.
    pub borrows: &'static [&'static str],
    /// Folders of the worktree whose programs come first.
    pub programs: &'static [&'static str],
}

/// Where a Python tool of the project itself would stand.
const VENV: &[&str] = &[".venv/bin", "venv/bin"];

/// Every validator.
pub const VALIDATORS: &[ValidatorPreset] = &[ValidatorPreset {
    name: "ruff",
    aliases: &[],
    files: &["*.py", "*.pyi"],
    command: &["ruff", "check", "--quiet", "--no-cache", "--output-format=sarif", "--", "{files}"],
    env: &[],
    configured_by: &["ruff.toml", ".ruff.toml", "pyproject.toml"],
    borrows: &[],
    programs: VENV,
    scope: Scope::Files,
    output: Output::Sarif,
    verdicts: &[0, 1],
    counts: Severity::Warning,
}];

/// Every formatter.
pub const FORMATTERS: &[FormatterPreset] = &[FormatterPreset {
    name: "black",
    files: &["*.py", "*.pyi"],
    command: &["black", "--quiet", "{range}", "--stdin-filename={file}", "-"],
    range: &["--line-ranges={first}-{last}"],
    ranges: Ranges::Many,
    configured_by: &["pyproject.toml"],
    borrows: &[],
    programs: VENV,
}];
