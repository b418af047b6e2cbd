//! `Configuration`: what a repository asks to be judged and formatted by, as plain data from the bytes of `.segedit.yaml`.
//!
//! A preset is spelled out while reading: behind this room a validator is a command line, globs and a way to read what
//! it writes, whoever thought of them. Deliberately not here: whether any of it may run (trust), and running it.

mod configuration;
mod globs;
mod presets;
mod read;

pub use configuration::{
    CommandOrigin, Configuration, Formatter, Gate, LanguageServer, PATH, Ranges, Severity, Tool,
    Validator, ValidatorOutput, ValidatorScope,
};
pub use globs::matches;
pub use presets::{
    FORMATTERS, FormatterPreset, SERVERS, ServerPreset, VALIDATORS, ValidatorPreset,
};
pub use read::read;
