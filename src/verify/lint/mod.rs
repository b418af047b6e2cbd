//! Validators and formatters: other people's programs, run on a copy of the candidate. Home of processes.

pub mod fit;
pub mod gate;
pub mod interrupt;
pub mod process;
pub mod readers;
pub mod verdict;

pub use verdict::{Finding, Verdict, VerdictStatus};
