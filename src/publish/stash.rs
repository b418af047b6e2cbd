//! The destination `stash`: an entry as `git stash push` makes one, without touching index or worktree.
//!
//! ```text
//!        .----W   the batch applied to HEAD's tree      "On main: <message>"
//!       /    /
//! -----H----I     the index, which is HEAD's tree       "index on main: <short> <subject>"
//! ```

use super::{Batch, PublishTarget, Receipt, Refusal, message};
use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Head, NewCommit, ReadSource, Repo, refuse_pointers};
use crate::snapshot::Id;

/// A change of the list of stash entries, whose objects are stored.
pub(super) struct PreparedStash<'q> {
    pub repo: &'q Repo,
    pub entry: Id,
    pub change: StashChange,
}

/// What becomes of an entry.
pub(super) enum StashChange {
    /// It is put on top of the list, under this line.
    Push(String),
    /// It leaves the list, wherever it stands.
    Drop,
}

impl PreparedStash<'_> {
    /// Changes the list by git's own command: it keeps the log of refs/stash, which is the list of entries, whatever
    /// core.logAllRefUpdates says, and puts an entry on top of whatever stands there by now.
    pub(super) fn commit(self) -> Result<(), Refusal> {
        match self.change {
            StashChange::Push(line) => Ok(self.repo.store_stash(&self.entry, &line)?),
            StashChange::Drop if self.repo.drop_stash(&self.entry)? => Ok(()),
            StashChange::Drop => {
                let short = shown(self.entry.0.get(..8).unwrap_or(&self.entry.0));
                let message = format!("the stash entry {short} is no longer listed");
                Err(Diagnostic::new(Code::ChangedSince, message).into())
            }
        }
    }
}

/// Prepares to store `batches`, which must be one, as a stash entry. Returns what comes of it, and nothing to do where they change
/// nothing.
pub(super) fn prepare<'q>(
    batches: &[Batch],
    target: &PublishTarget,
    repo: &'q Repo,
) -> Result<(Receipt, Option<PreparedStash<'q>>), Refusal> {
    let ([batch], ReadSource::Commit { commit: base, tree }) = (batches, &target.source) else {
        let message = "a stash entry holds one operation file; give them one after another";
        return Err(Diagnostic::new(Code::Unsupported, message).into());
    };
    let mut receipt = Receipt {
        reference: Some("refs/stash".to_owned()),
        before: repo.tip("refs/stash")?,
        commits: vec![None],
        displaced: Vec::new(),
        warnings: Vec::new(),
    };
    refuse_pointers(batch.verified.changes())?;
    let (grown, mut objects) = repo.tree_with(Some(tree), batch.verified.changes())?;
    if grown == *tree {
        return Ok((receipt, None));
    }
    let committer = repo.committer()?;
    let author = match &batch.author {
        Some(author) => committer.renamed(&author.name, &author.email),
        None => repo.author()?,
    };
    let branch = branch(repo)?;
    let short: String = base.0.chars().take(7).collect();
    let index_message = format!("index on {branch}: {short} {}\n", repo.subject_of(base)?);
    let commit = |tree: &Id, parents: &[Id], message: &str| {
        let (author, committer) = (&author, &committer);
        repo.commit_object(&NewCommit {
            tree,
            parents,
            author,
            committer,
            message,
        })
    };
    let index = commit(tree, std::slice::from_ref(base), &index_message)?;
    let made = commit(
        &grown,
        &[base.clone(), index.id.clone()],
        &format!("On {branch}: {}", batch.message),
    )?;
    let entry = made.id.clone();
    objects.extend([index, made]);
    repo.write_objects(&objects)?;
    receipt.commits = vec![Some(entry.clone())];
    let line = format!("On {branch}: {}", message::subject(&batch.message));
    let change = StashChange::Push(line);
    let ready = PreparedStash {
        repo,
        entry,
        change,
    };
    Ok((receipt, Some(ready)))
}

/// Returns what git calls the place where HEAD stands.
fn branch(repo: &Repo) -> Result<String, Diagnostic> {
    Ok(match repo.head()? {
        Head::Branch { name, .. } => name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned(),
        Head::Detached(_) => "(no branch)".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use crate::git::testing::{Sandbox, change};
    use crate::manifest::Destination::Stash;
    use crate::publish::testing::put;

    #[test]
    fn an_entry_that_git_lists_shows_and_pops() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n"), ("b.txt", "bee\n")]);
        sandbox.write("b.txt", "mine\n");
        let changes = vec![
            change("a.txt", Some("one\n"), Some("two\n")),
            change("new", None, Some("new\n")),
        ];
        let receipt = put(&sandbox.repo(), Stash, changes).unwrap();
        assert_eq!(sandbox.git(&["stash", "list"]), "stash@{0}: On main: batch");
        assert_eq!(
            sandbox.git(&["rev-parse", "stash@{0}"]),
            receipt.commits[0].as_ref().unwrap().0
        );
        assert_eq!(
            sandbox.git(&["stash", "show", "--name-status"]),
            "M\ta.txt\nA\tnew"
        );
        put(
            &sandbox.repo(),
            Stash,
            vec![change("a.txt", Some("one\n"), Some("three\n"))],
        )
        .unwrap();
        assert_eq!(sandbox.git(&["stash", "list"]).lines().count(), 2);
        sandbox.git(&["stash", "drop", "-q"]);
        sandbox.git(&["stash", "pop", "-q"]);
        assert_eq!(
            (sandbox.read("a.txt"), sandbox.read("b.txt")),
            ("two\n".to_owned(), "mine\n".to_owned())
        );
        assert_eq!(sandbox.git(&["stash", "list"]), "");
        sandbox.assert_sound();
    }

    #[test]
    fn nothing_but_the_stash_moves() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        sandbox.git(&["config", "core.logAllRefUpdates", "false"]);
        sandbox.write("a.txt", "mine\n");
        let before = sandbox.digest();
        put(
            &sandbox.repo(),
            Stash,
            vec![change("a.txt", Some("one\n"), Some("two\n"))],
        )
        .unwrap();
        assert_eq!(sandbox.git(&["stash", "list"]).lines().count(), 1);
        sandbox.git(&["stash", "drop", "-q"]);
        assert_eq!(sandbox.digest(), before);
    }
}
