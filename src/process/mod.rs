//! The one runner of other programs: side by side, never through a shell, and so that they can do no more than was asked
//! for. No token of the environment reaches them, nothing they start outlives them, they cannot fill our memory, wait for
//! us or keep us waiting.
//!
//! | file | holds |
//! |---|---|
//! | `job` | what is to run, and what it came to |
//! | `runner` | jobs side by side, and their ends |
//! | `start` | starting a program |
//! | `dialogue` | a program that is talked with |
//! | `environment` | the variables that a program gets |
//! | `program_lookup` | which file a command names |
//! | `capture` | what a program writes, within bounds |
//! | `process_tree`, `process_table` | all processes that a job started, and their end |
//! | `running_jobs` | progress |
//! | `signals` | noting signals while something runs |
//!
//! Deliberately not here: what a program's output means (`linters`), and whether it may run at all.

mod capture;
mod dialogue;
pub(crate) mod environment;
mod job;
mod process_table;
mod process_tree;
mod program_lookup;
mod runner;
mod running_jobs;
pub(crate) mod signals;
mod start;
#[cfg(test)]
mod tests;

pub(crate) use dialogue::{Dialogue, Received};
pub(crate) use job::{Job, RunEnd, RunResult};
pub(crate) use runner::Runner;
