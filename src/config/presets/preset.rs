//! A preset: what a tool needs to be asked for, and what several of them share.

use crate::config::{Ranges, Severity, ValidatorOutput, ValidatorScope};

/// The word of a preset's command in whose place the repository's `args` come.
pub(crate) const ARGS: &str = "{args}";

/// A validator that a repository may ask for by name.
#[derive(Clone, Copy, Debug)]
pub struct ValidatorPreset {
    /// Its name.
    pub name: &'static str,
    /// Other names that people use for it.
    pub aliases: &'static [&'static str],
    /// Which paths are its business, unless the repository says otherwise.
    pub files: &'static [&'static str],
    /// The program and its arguments, with `{args}`; `{cache}` in a word stands for a folder that outlives the run.
    pub command: &'static [&'static str],
    /// What takes the place of `{args}` unless the repository gives its own: which paths to judge, as a rule.
    pub args: &'static [&'static str],
    /// Variables it needs.
    pub env: &'static [(&'static str, &'static str)],
    /// The files that configure it.
    pub configured_by: &'static [&'static str],
    /// Files of which it only wants to know whether they are there.
    pub looks_for: &'static [&'static str],
    /// Folders of the worktree that it borrows.
    pub borrows: &'static [&'static str],
    /// Folders of the worktree whose programs come first.
    pub programs: &'static [&'static str],
    /// What it is shown.
    pub scope: ValidatorScope,
    /// How it says what it found.
    pub output: ValidatorOutput,
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
    /// The program and its arguments, with `{args}`, `{range}` and `{file}`.
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
pub(super) const VENV: &[&str] = &[".venv/bin", "venv/bin"];

/// Where a Node tool of the project itself would stand.
pub(super) const NODE: &[&str] = &["node_modules/.bin"];

/// What a Node tool's configuration imports from.
pub(super) const NODE_MODULES: &[&str] = &["node_modules"];

pub(super) const OF_BLACK: &[&str] = &["pyproject.toml"];

pub(super) const OF_RUFF: &[&str] = &["ruff.toml", ".ruff.toml", "pyproject.toml"];

/// Prettier passes over what git ignores, and reads that only in the root.
pub(super) const OF_PRETTIER: &[&str] = &[
    ".prettierrc",
    ".prettierrc.*",
    "prettier.config.*",
    "/.prettierignore",
    "/.gitignore",
    ".editorconfig",
    "package.json",
    "package.yaml",
];
