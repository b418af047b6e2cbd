//! The destination `commit`: one commit for each batch on one branch, which moves once.

use super::{Batch, Receipt, Refusal, Target, message};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{NewCommit, Object, Repo, Source, refuse_pointer};
use crate::snapshot::{Change, Id};

/// Commits `batches` on the target's branch.
pub(super) fn publish(batches: &[Batch], target: &Target, repo: &Repo) -> Result<Receipt, Refusal> {
    target.hooks.check(repo)?;
    let Some(reference) = &target.reference else {
        return Err(Diagnostic::new(Code::Io, "a commit without a branch to put it on").into());
    };
    let line = draw(batches, target, repo)?;
    let before = target.expected.id().cloned();
    let receipt = |commits| Receipt { reference: Some(reference.clone()), before, commits, warnings: Vec::new() };
    let Some(tip) = &line.tip else { return Ok(receipt(line.commits)) };
    repo.check_nothing_under_way(reference)?;
    if repo.has_checked_out(reference)? || !repo.other_checkouts(reference)?.is_empty() {
        let message = format!("{reference} is checked out, and its worktree cannot be kept up to date yet");
        return Err(Diagnostic::new(Code::WorktreeDirty, message).into());
    }
    repo.write_objects(&line.objects)?;
    let reason = format!("segedit: {}", line.subject);
    repo.lock_ref(reference, &target.expected)?.advance(tip, &repo.committer()?, &reason)?;
    Ok(Receipt { warnings: target.hooks.warnings(repo), ..receipt(line.commits) })
}

/// A line of commits that is made but not stored.
struct Line {
    /// What it needs.
    objects: Vec<Object>,
    /// One for each batch, `None` for one that changes nothing.
    commits: Vec<Option<Id>>,
    /// Its end; `None` when no batch changes anything.
    tip: Option<Id>,
    /// The subject of the last commit.
    subject: String,
}

/// Makes the commits, each on the one before it.
fn draw(batches: &[Batch], target: &Target, repo: &Repo) -> Result<Line, Refusal> {
    let (mut parent, mut tree) = match &target.source {
        Source::Commit { commit, tree } => (Some(commit.clone()), Some(tree.clone())),
        Source::Unborn { tree } => (None, tree.clone()),
        Source::Index | Source::Worktree => {
            return Err(Diagnostic::new(Code::Io, "a commit on something that is not a commit").into());
        }
    };
    let committer = repo.committer()?;
    let mut line = Line { objects: Vec::new(), commits: Vec::new(), tip: None, subject: String::new() };
    for batch in batches {
        let changes = batch.verified.changes();
        refuse_pointers(changes)?;
        // Later batches stand on trees that are not stored yet, which `tree_with` cannot read.
        if line.tip.is_some() {
            repo.write_objects(&std::mem::take(&mut line.objects))?;
        }
        let (grown, objects) = repo.tree_with(tree.as_ref(), changes)?;
        if tree.as_ref() == Some(&grown) || changes.is_empty() {
            line.commits.push(None);
            continue;
        }
        let author = match &batch.author {
            Some(author) => committer.renamed(&author.name, &author.email),
            None => repo.author()?,
        };
        let parents: Vec<Id> = parent.iter().cloned().collect();
        let commit = NewCommit {
            tree: &grown,
            parents: &parents,
            author: &author,
            committer: &committer,
            message: &batch.message,
        };
        let commit = repo.commit_object(&commit)?;
        parent = Some(commit.id.clone());
        line.tip = parent.clone();
        line.commits.push(parent.clone());
        line.subject = message::subject(&batch.message).to_owned();
        line.objects.extend(objects);
        line.objects.push(commit);
        tree = Some(grown);
    }
    Ok(line)
}

/// Refuses to write text where Git LFS keeps a pointer.
fn refuse_pointers(changes: &[Change]) -> Result<(), Refusal> {
    for change in changes {
        if let (Some(before), Some(after)) = (&change.before, &change.after)
            && before.bytes != after.bytes
        {
            refuse_pointer(&change.path, &before.bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{Sandbox, change};
    use crate::manifest::{Author, Destination};
    use crate::publish::{Hooks, Queue, aim, publish};
    use crate::verify::Verified;

    fn batch(message: &str, changes: Vec<Change>) -> Batch {
        Batch { verified: Verified::for_tests(changes), message: format!("{message}\n"), author: None }
    }

    fn commit(repo: &Repo, branch: Option<&str>, batches: Vec<Batch>) -> Result<Receipt, Refusal> {
        let target = aim(repo, Destination::Commit, branch, None, Hooks::Skip)?;
        publish(batches, &target, repo, &Queue::enter(repo)?)
    }

    const FILES: [(&str, &str); 3] = [("a.txt", "one\n"), ("dir/b.txt", "bee\n"), ("dir/deep/c.txt", "sea\n")];

    #[test]
    fn a_bare_repository_takes_commits() {
        for format in ["sha1", "sha256"] {
            let sandbox = Sandbox::with(&[&format!("--object-format={format}")], &FILES);
            let bare = sandbox.bare_clone();
            let repo = Repo::open(&bare).unwrap();
            let first = batch(
                "change two",
                vec![
                    change("a.txt", Some("one\n"), Some("two\n")),
                    change("dir/deep/c.txt", Some("sea\n"), None),
                    change("new/e.txt", None, Some("eh\n")),
                ],
            );
            let mut second = batch("again", vec![change("a.txt", Some("two\n"), Some("three\n"))]);
            second.author = Some(Author { name: "Bot".to_owned(), email: "bot@x".to_owned() });
            let receipt = commit(&repo, None, vec![first, second]).unwrap();
            assert_eq!(receipt.commits.len(), 2);
            let tip = receipt.commits.last().unwrap().as_ref().unwrap();
            assert_eq!(sandbox.git_in(&bare, &["rev-parse", "main"]), tip.0);
            assert_eq!(sandbox.git_in(&bare, &["show", "main:a.txt"]), "three");
            let files = sandbox.git_in(&bare, &["ls-tree", "-r", "--name-only", "main"]);
            assert_eq!(files, "a.txt\ndir/b.txt\nnew/e.txt");
            let log = sandbox.git_in(&bare, &["log", "--format=%s|%an|%cn", "main"]);
            assert_eq!(log, "again|Bot|A U Thor\nchange two|A U Thor|A U Thor\nfirst|A U Thor|A U Thor");
            sandbox.git_in(&bare, &["fsck", "--strict"]);
        }
    }

    #[test]
    fn a_branch_that_does_not_exist_starts_at_head() {
        let sandbox = Sandbox::with(&[], &FILES);
        let before = sandbox.digest();
        let repo = sandbox.repo();
        commit(&repo, Some("bot/x"), vec![batch("x", vec![change("a.txt", Some("one\n"), Some("two\n"))])]).unwrap();
        assert_eq!(sandbox.git(&["log", "--format=%s", "bot/x"]), "x\nfirst");
        assert_eq!(sandbox.git(&["log", "-g", "--format=%gs", "bot/x"]), "segedit: x");
        sandbox.git(&["branch", "-D", "bot/x"]);
        assert_eq!(sandbox.digest(), before);
    }

    #[test]
    fn a_moved_branch_is_stale_and_stays() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.git(&["branch", "side"]);
        let repo = sandbox.repo();
        let target = aim(&repo, Destination::Commit, Some("side"), None, Hooks::Skip).unwrap();
        sandbox.git(&["update-ref", "refs/heads/side", &sandbox.git(&["commit-tree", "-m", "other", "HEAD^{tree}"])]);
        let moved = sandbox.git(&["rev-parse", "side"]);
        let batch = batch("x", vec![change("a.txt", Some("one\n"), Some("two\n"))]);
        let refusal = publish(vec![batch], &target, &repo, &Queue::enter(&repo).unwrap()).unwrap_err();
        let Refusal::Stale { name, found, .. } = refusal else { panic!("{refusal:?}") };
        assert_eq!((name.as_str(), found.unwrap().0), ("refs/heads/side", moved.clone()));
        assert_eq!(sandbox.git(&["rev-parse", "side"]), moved);
        assert!(!sandbox.root().join(".git/refs/heads/side.lock").exists());
    }

    #[test]
    fn nothing_changed_means_nothing_published() {
        let sandbox = Sandbox::with(&[], &FILES);
        let before = sandbox.git(&["rev-parse", "HEAD"]);
        let same = batch("x", vec![change("a.txt", Some("one\n"), Some("one\n"))]);
        let receipt = commit(&sandbox.repo(), Some("side"), vec![same]).unwrap();
        assert_eq!(receipt.commits, [None]);
        assert_eq!(sandbox.git(&["for-each-ref", "--format=%(refname)"]), "refs/heads/main");
        assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), before);
    }
}
