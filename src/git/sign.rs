//! Signed commits, made by the git program: `commit.gpgSign` with whatever key, format and program the caller set up.

use super::{NewCommit, Repo};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::snapshot::Id;

impl Repo {
    /// Returns whether the caller wants commits signed.
    pub fn signs_commits(&self) -> bool {
        self.config.get_bool("commit.gpgsign") == Some(true)
    }

    /// Has git store `commit`, signed. Its tree and parents are stored already. A commit that cannot be signed is not made.
    pub fn signed_commit(&self, commit: &NewCommit<'_>) -> Result<Id, Diagnostic> {
        let program = self
            .program()
            .with("GIT_AUTHOR_NAME", &commit.author.name)
            .with("GIT_AUTHOR_EMAIL", &commit.author.email)
            .with("GIT_AUTHOR_DATE", commit.author.date())
            .with("GIT_COMMITTER_NAME", &commit.committer.name)
            .with("GIT_COMMITTER_EMAIL", &commit.committer.email)
            .with("GIT_COMMITTER_DATE", commit.committer.date());
        let mut arguments = vec!["commit-tree", "-S", commit.tree.0.as_str()];
        for parent in commit.parents {
            arguments.extend(["-p", parent.0.as_str()]);
        }
        let answer = program.feed(&arguments, commit.message.as_bytes())?;
        if !answer.success {
            let complaint = String::from_utf8_lossy(&answer.stderr);
            let message = format!(
                "commit.gpgSign is set, and git could not sign: {}",
                shown(complaint.trim())
            );
            return Err(Diagnostic::new(Code::UnsupportedRepository, message)
                .note("`git -c commit.gpgSign=false segedit …` publishes unsigned"));
        }
        Ok(Id(String::from_utf8_lossy(&answer.stdout)
            .trim()
            .to_owned()))
    }
}
