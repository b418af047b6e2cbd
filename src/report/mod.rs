//! Words for people and programs: the same values as text, JSON, SARIF and CI annotations.
//!
//! Pure: an `Outcome` comes in, a `Rendered` goes out; whoever calls writes it (`cli::output`, `door::answer`, the history). Results are for standard output,
//! talk and diagnostics for standard error, in every format. Deliberately not here: whether there is a terminal.
//!
//! | file | holds |
//! |---|---|
//! | `style`, `colour` | how a report is written, and what goes to which stream |
//! | `human`, `verdicts` | what a person reads after a batch, and of its validators |
//! | `segments` | what a person reads of `outline`, `show` and `find` |
//! | `judged` | what a person reads after `check` judged what is there already |
//! | `history` | what `log`, `show-batch`, `history prune` and `recover` say |
//! | `conversation` | the talk with a model that a batch came from |
//! | `hooks` | the hooks of a repository, for people and for programs |
//! | `languages` | which files are read by name, for people and for programs |
//! | `index` | what there is of the index of segments, for people and for programs |
//! | `diagnostics` | refusals in the manner of rustc, with the operation file's own line |
//! | `references` | every place of a name |
//! | `patch` | a unified diff made readable on a terminal |
//! | `json` | the report, version 1 |
//! | `sarif`, `github` | refusals and findings for code scanning and for CI logs |
//! | `tools` | what `trust` and `validators` say |

pub(crate) mod colour;
pub(crate) mod conversation;
pub(crate) mod diagnostics;
pub(crate) mod github;
pub(crate) mod history;
pub(crate) mod hooks;
pub(crate) mod human;
pub(crate) mod index;
pub(crate) mod json;
pub(crate) mod judged;
pub(crate) mod languages;
pub(crate) mod patch;
pub(crate) mod references;
pub(crate) mod sarif;
pub(crate) mod segments;
mod style;
#[cfg(test)]
mod tests;
pub(crate) mod tools;
pub(super) mod verdicts;

pub(crate) use style::{Rendered, ReportStyle, Verbosity};
