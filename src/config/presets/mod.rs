//! The presets: tools whose command lines, exit codes and output this program knows.
//!
//! Each line was run with the versions that `tests/tools/install.py` pins; `tests/tools/presets` runs them again. What a
//! tool leaves out by its own configuration stays left out where the tool has a way to say so. Not so: black's `exclude`
//! and mypy's `files` count only for runs that name no path; a project that leans on them says `files` or `args` here.

mod formatters;
pub(super) mod preset;
mod servers;
#[cfg(test)]
mod tests;
mod validators;

pub use formatters::FORMATTERS;
pub use preset::{FormatterPreset, ValidatorPreset};
pub use servers::{SERVERS, ServerPreset};
pub use validators::VALIDATORS;
