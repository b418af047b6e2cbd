//! `Hooks`: what becomes of the repository's hooks. None is passed over in silence.

use crate::diagnostic::{Code, Diagnostic};
use crate::git::Repo;

/// What becomes of the hooks that git would run around a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hooks {
    /// A hook that could refuse the commit is honoured: as it cannot be run here, the batch is refused.
    Heed,
    /// The caller said `--no-verify`.
    Skip,
}

/// Hooks that could have refused or changed the commit.
const GUARDS: [&str; 3] = ["pre-commit", "commit-msg", "reference-transaction"];
/// Hooks that only want to know, or only help a person to write.
const OTHERS: [&str; 2] = ["prepare-commit-msg", "post-commit"];

impl Hooks {
    /// Refuses when the repository has a hook that would have to be asked.
    pub(super) fn check(self, repo: &Repo) -> Result<(), Diagnostic> {
        let (Hooks::Heed, Some(name)) = (self, GUARDS.into_iter().find(|name| repo.has_hook(name))) else {
            return Ok(());
        };
        let message = format!("the repository has a {name} hook, which this program does not run");
        Err(Diagnostic::new(Code::UnsupportedRepository, message)
            .note("`--no-verify` commits without it; the destination `index` leaves the commit to you and to git"))
    }

    /// Returns what to say about the hooks that are not run.
    pub(super) fn warnings(self, repo: &Repo) -> Vec<Diagnostic> {
        let skipped: &[&str] = match self {
            Hooks::Heed => &[],
            Hooks::Skip => &GUARDS,
        };
        let all = skipped.iter().chain(&OTHERS).filter(|name| repo.has_hook(name));
        all.map(|name| Diagnostic::new(Code::Unsupported, format!("the {name} hook was not run"))).collect()
    }
}
