//! Validators and formatters: programs that the repository's configuration names, run on a copy of the candidate.
//!
//! What may run is said by the configuration of the *base*, so that a batch cannot loosen the rules that it is checked by:
//! neither in `.segedit.yaml` nor in the files that configure a tool, of which the tools are shown the base's copy.
//!
//! | file | holds |
//! |---|---|
//! | `configured` | what a repository asks for, and the hash by which it is trusted |
//! | `trust` | whether that may run for this caller |
//! | `config_guard` | batches that change the configuration, or what decides what a tool does |
//! | `context` | what a run is made for, and what it came to |
//! | `format` | formatters, given the changed ranges and held to them |
//! | `validate` | validators, shown the candidate |
//! | `baseline` | which findings the base had, too |
//! | `validator_run`, `result_cache` | what one run found, and runs of the same content before |
//! | `changed_ranges` | which ranges changed, and whether a formatter kept to them |
//! | `sandbox`, `server_folder` | the folder that tools run in, that a language server does |
//! | `layered_files` | the base with earlier changes laid over it, one path at a time |
//! | `watch`, `survey` | the files that decide what a command does, and how they are found |
//! | `command_words`, `script_loads` | what a command names, and what a script loads |
//! | `own_programs` | the user's own programs in the worktree |
//! | `formats` | the formats in which tools write their findings |
//! | `verdict` | what is reported |

mod baseline;
mod changed_ranges;
mod command_words;
mod config_guard;
mod configured;
mod context;
mod format;
pub mod formats;
mod layered_files;
mod own_programs;
mod result_cache;
mod sandbox;
mod script_loads;
mod server_folder;
mod survey;
pub mod trust;
mod validate;
mod validator_run;
pub mod verdict;
pub mod watch;

pub use config_guard::{fixes_config, uncommitted_config};
pub use configured::ConfiguredLinters;
pub use context::{LintReport, LinterContext, program_of};
pub use format::{Formatting, format};
pub use server_folder::ServerFolder;
pub use trust::Permission;
pub use validate::{Validation, validate, validate_as_it_is};
pub use verdict::{Finding, ToolVerdict, VerdictStatus};
pub use watch::{Unwatched, Watch, WatchedFile};
