//! `Opening`: how a repository is found, and what goes through a handle on it.

use std::path::PathBuf;

/// How a repository is found; unlike `Repo`, this can be handed to another thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    pub(in crate::git) folder: PathBuf,
    /// Whether git's environment variables have a say, as they do for the repository that the caller is in.
    pub(in crate::git) environment: Environment,
    pub(in crate::git) durability: Durability,
    pub(in crate::git) written: FlushedWrites,
    pub(in crate::git) starts: Starts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::git) enum Environment {
    Honoured,
    Ignored,
}

/// How durable what is written shall be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// As git's configuration has it, and `segedit.durable`.
    #[default]
    Configured,
    /// A power cut takes nothing back once it is reported, and leaves no ref to what is gone.
    Full,
}

/// What goes through a handle, as far as flushing is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::git) enum FlushedWrites {
    Refs,
    Nothing,
}

/// Who is asked what may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::git) enum Starts {
    /// Whatever git would start.
    AsGit,
    /// What the caller set, and the filters that they trust.
    OnlyTheCallers,
}
