//! The command line: one file a command, with its arguments and their help; one call into actions, one into report.
//!
//! Home of clap and of everything that reads the environment or writes to the standard streams. Nothing is decided
//! here but how the caller is answered: `exit` is the one table of exit codes.
//!
//! | file | holds |
//! |---|---|
//! | `apply`, `ask`, `call`, `check`, `edit`, `files`, `outline`, `show`, `find`, `rename`, `import`, `index`, `languages`, `undo`, `history`, `validators`, `trust`, `hooks`, `schema`, `tools`, `mcp`, `help`, `relocate` | the commands |
//! | `run`, `grammar` | the way from arguments to an exit; all commands |
//! | `context`, `reply` | the options that every command takes, and what a command answers with |
//! | `publishing` | the options that publishing commands share, and the way through them |
//! | `place` | paths as typed, turned into paths of the repository |
//! | `input`, `output` | what is read from files and standard input, and how a reply is written |
//! | `terminal`, `progress` | colours, width, the sign of life |
//! | `usage` | command lines that cannot be understood |
//! | `exit` | the table of exit codes |

mod agents;
mod apply;
mod ask;
mod call;
mod check;
mod context;
mod edit;
mod exit;
mod files;
mod find;
mod grammar;
mod help;
mod history;
mod hooks;
mod import;
mod index;
mod input;
mod languages;
mod mcp;
mod outline;
mod output;
mod place;
mod progress;
mod publishing;
mod relocate;
mod rename;
mod reply;
mod run;
mod schema;
mod show;
mod terminal;
mod tools;
mod trust;
mod undo;
mod usage;
mod validators;

pub use run::main;

pub(crate) use context::{Common, ReportFormat, When};
pub(crate) use reply::Reply;
