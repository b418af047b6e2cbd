//! `Job`: one run of a program as it is asked for, and `RunResult`: what it came to.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::capture::CapturedOutput;
use super::{environment, program_lookup};

/// One run of a program.
pub(crate) struct Job {
    /// What progress calls it.
    pub name: String,
    /// The program and its arguments. A program with a slash in it is a path from `folder`; any other is looked for.
    pub command: Vec<OsString>,
    /// Absolute folders looked into before those of PATH, by us and by what the program starts.
    pub programs: Vec<PathBuf>,
    /// Folders that are passed over wherever PATH names them.
    pub avoided: Vec<PathBuf>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Variables added to the small environment that it gets; they win over ours.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads on standard input, which then ends.
    pub input: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
}

impl Job {
    /// Returns the program that would be started, or says in a sentence why there is none.
    pub(crate) fn program(&self) -> Result<PathBuf, String> {
        let (_, folders) = environment::environment_for(
            environment::of_caller(),
            &self.env,
            &self.programs,
            &self.avoided,
        );
        let found = program_lookup::find_program(&self.command, &self.folder, &folders)
            .map(|(path, _)| path);
        found.map_err(|why| self.explained(why))
    }

    /// Returns why there is no program, with what was passed over.
    pub(super) fn explained(&self, why: String) -> String {
        match self.avoided.first() {
            Some(first) => format!(
                "{why}; not taken from {}: the repository holds files of it",
                first.display()
            ),
            None => why,
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which we did not send.
    Signalled(i32),
    /// By us: it took too long.
    TimedOut,
    /// It never began: the program is not there, or nothing that can be run. Says so in a sentence, not escaped.
    Missing(String),
    /// By us, or not begun at all: somebody asked this process to go (`signals::caught`).
    Interrupted,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunResult {
    /// How it ended.
    pub end: RunEnd,
    /// What it wrote on standard output: the first 16 MiB.
    pub stdout: CapturedOutput,
    /// What it wrote on standard error: the first and last 128 KiB, with a line between that says what was left out.
    pub stderr: CapturedOutput,
    /// How long its first process ran.
    pub duration: Duration,
}

impl RunResult {
    pub(super) fn nothing(end: RunEnd) -> RunResult {
        RunResult {
            end,
            stdout: CapturedOutput::default(),
            stderr: CapturedOutput::default(),
            duration: Duration::ZERO,
        }
    }
}
