//! The destination `commit`: one commit for each batch on one branch, which moves once.

use super::batch::combined;
use super::displace::Strictness;
use super::journal::{self, Pivot};
use super::rehearse::no_branch;
use super::site::{SiteRepo, Sites};
use super::survey::Intended;
use super::{Batch, PublishTarget, Receipt, Refusal, message, moves};
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{
    Expected, GrownTrees, Identity, LockedRef, NewCommit, Object, ReadSource, Repo, refuse_pointers,
};
use crate::history::Displaced;
use crate::snapshot::Id;

/// Prepares to commit `batches` on the target's branch. Returns what comes of it, and nothing to do where they change nothing.
pub(super) fn prepare<'q>(
    batches: &[Batch],
    target: &PublishTarget,
    repo: &'q Repo,
) -> Result<(Receipt, Option<PreparedMove<'q>>), Refusal> {
    target.hooks.check(repo)?;
    let Some(reference) = &target.reference else {
        return Err(no_branch().into());
    };
    let line = draw(batches, target, repo)?;
    let mut receipt = Receipt {
        reference: Some(reference.clone()),
        before: target.expected.id().cloned(),
        commits: line.commits,
        displaced: Vec::new(),
        warnings: Vec::new(),
    };
    let Some(tip) = line.tip else {
        return Ok((receipt, None));
    };
    repo.write_objects(&line.objects)?;
    let branch_move = Move {
        reference: reference.clone(),
        expected: target.expected.clone(),
        goal: Goal::On(tip),
        reason: format!("segedit: {}", line.subject),
    };
    let (changes, moves) = (combined(batches), moves(batches));
    let intended = Intended {
        changes: &changes,
        moves: &moves,
        known: &[],
    };
    let (ready, displaced) = PreparedMove::prepare(branch_move, &intended, repo)?;
    receipt.displaced = displaced;
    receipt.warnings = target.hooks.warnings(repo);
    Ok((receipt, Some(ready)))
}

/// Where a branch goes, and from where.
pub(super) struct Move {
    pub reference: String,
    pub expected: Expected,
    pub goal: Goal,
    pub reason: String,
}

/// Where a branch goes.
pub(super) enum Goal {
    /// To a commit that descends from where it stands.
    On(Id),
    /// Back from where it stands: to one of its ancestors, or, with the first of its commits taken back, to nothing.
    Back(Option<Id>),
}

/// A branch that is ready to move, together with the indexes and files of the worktrees that have it checked out.
pub(super) struct PreparedMove<'q> {
    repo: &'q Repo,
    branch_move: Move,
    committer: Identity,
    sites: Sites<'q>,
}

impl<'q> PreparedMove<'q> {
    /// Locks the indexes, and looks for all that is in the way of what is `intended` in the worktrees. Returns with it what the
    /// history has to keep of files that make way.
    pub(super) fn prepare(
        branch_move: Move,
        intended: &Intended<'_>,
        repo: &'q Repo,
    ) -> Result<(PreparedMove<'q>, Vec<Displaced>), Refusal> {
        let reference = branch_move.reference.as_str();
        let others = repo.other_checkouts(reference)?;
        let mut checkouts: Vec<SiteRepo<'q>> = others.into_iter().map(SiteRepo::from).collect();
        if repo.has_checked_out(reference)? {
            checkouts.insert(0, repo.into());
        }
        let follows = !checkouts.is_empty();
        let committer = repo.committer()?;
        // Without a worktree to follow there is still the lock of a ref that nobody else would ever take away.
        let mut sites = Sites::lock(repo, checkouts, branch_move.pivot())?;
        // Again, now that nobody can switch branches or start a merge here.
        for repo in sites.repos() {
            if !repo.has_checked_out(reference)? {
                return Err(Refusal::Stale {
                    name: "HEAD".to_owned(),
                    expected: branch_move.expected.id().cloned(),
                    found: repo.head()?.commit().cloned(),
                });
            }
        }
        repo.check_nothing_under_way(reference)?;
        repo.check_every_checkout_is_here(reference)?;
        // Index and files follow the branch: if that moved, what they hold is not the caller's unfinished work.
        let (expected, found) = (branch_move.expected.id().cloned(), repo.tip(reference)?);
        if expected != found {
            return Err(Refusal::Stale {
                name: reference.to_owned(),
                expected,
                found,
            });
        }
        let displaced = sites.survey(intended, Strictness::CheckedOut)?;
        if follows {
            sites.announce(None)?;
        }
        let ready = PreparedMove {
            repo,
            branch_move,
            committer,
            sites,
        };
        Ok((ready, displaced))
    }

    /// Exchanges the files, moves the branch, and gives the indexes their new content. Returns what failed once it had moved.
    pub(super) fn commit(self) -> Result<Vec<Diagnostic>, Refusal> {
        let PreparedMove {
            repo,
            branch_move,
            committer,
            mut sites,
        } = self;
        let Move {
            reference,
            expected,
            goal,
            reason,
        } = branch_move;
        let locked = repo.lock_ref(&reference, &expected)?;
        sites.announce(journal::lock_file(repo.ref_lock_path(&reference)))?;
        sites.exchange()?;
        let commits = expected.id().zip(goal.id());
        let grown = commits.and_then(|(before, after)| GrownTrees::between(repo, before, after));
        sites.write_indexes(grown.as_ref())?;
        let mut warnings = Vec::new();
        if let Err(failure) = goal.reach(locked, &committer, &reason) {
            // Whatever failed: where the ref stands is what others see.
            match repo.tip(&reference) {
                Ok(tip) if tip.as_ref() == goal.id() => {
                    warnings.push(failure.note("published all the same"))
                }
                Ok(_) => {
                    if amend_logs(&reference, sites.repos(), repo).is_err() {
                        sites.leave_journal();
                    }
                    return Err(failure.into());
                }
                Err(_) => {
                    sites.leave();
                    return Err(failure
                        .note("whether the branch moved cannot be read now")
                        .into());
                }
            }
        }
        // Published. What fails from here on is finished by the next invocation.
        warnings.extend(sites.settle());
        Ok(warnings)
    }
}

/// Takes the line of a move that did not come to be out of the logs.
fn amend_logs<'s>(
    reference: &str,
    repos: impl Iterator<Item = &'s Repo>,
    repo: &'s Repo,
) -> Result<(), Diagnostic> {
    // The handle's own, too: a bare repository has the log of a HEAD, and no worktree.
    let heads = repos.chain([repo]).map(|repo| repo.amend_log("HEAD"));
    // Each of them, whatever becomes of the others.
    let amended: Vec<_> = [repo.amend_log(reference)]
        .into_iter()
        .chain(heads)
        .collect();
    amended.into_iter().collect()
}

impl Goal {
    /// Returns the commit; `None` for nothing.
    fn id(&self) -> Option<&Id> {
        match self {
            Goal::On(commit) => Some(commit),
            Goal::Back(commit) => commit.as_ref(),
        }
    }

    /// Moves the ref there.
    fn reach(
        &self,
        locked: LockedRef<'_>,
        committer: &Identity,
        reason: &str,
    ) -> Result<(), Diagnostic> {
        match self {
            Goal::On(commit) | Goal::Back(Some(commit)) => {
                locked.advance(commit, committer, reason)
            }
            Goal::Back(None) => locked.remove(),
        }
    }
}

impl Move {
    fn pivot(&self) -> Pivot {
        let name = self.reference.clone();
        match (&self.goal, self.expected.id()) {
            (Goal::On(commit), _) => Pivot::Ref {
                name,
                new: commit.0.clone(),
            },
            (Goal::Back(_), Some(old)) => Pivot::Back {
                name,
                old: old.0.clone(),
            },
            // From nothing there is no way back.
            (Goal::Back(_), None) => Pivot::Journal,
        }
    }
}

/// A line of commits that is made but not stored.
struct CommitLine {
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
fn draw(batches: &[Batch], target: &PublishTarget, repo: &Repo) -> Result<CommitLine, Refusal> {
    let (mut parent, mut tree) = start(target)?;
    let committer = repo.committer()?;
    let mut line = CommitLine {
        objects: Vec::new(),
        commits: Vec::new(),
        tip: None,
        subject: String::new(),
    };
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
        let author = author(batch, &committer, repo)?;
        let parents: Vec<Id> = parent.iter().cloned().collect();
        let commit = NewCommit {
            tree: &grown,
            parents: &parents,
            author: &author,
            committer: &committer,
            message: &batch.message,
        };
        line.objects.extend(objects);
        let id = if repo.signs_commits() {
            // git makes this one, so all that it names has to be there.
            repo.write_objects(&std::mem::take(&mut line.objects))?;
            repo.signed_commit(&commit)?
        } else {
            let commit = repo.commit_object(&commit)?;
            let id = commit.id.clone();
            line.objects.push(commit);
            id
        };
        parent = Some(id);
        line.tip = parent.clone();
        line.commits.push(parent.clone());
        line.subject = message::subject(&batch.message).to_owned();
        tree = Some(grown);
    }
    Ok(line)
}

/// Returns the commit that the first one is made on, and its tree.
pub(super) fn start(target: &PublishTarget) -> Result<(Option<Id>, Option<Id>), Diagnostic> {
    match &target.source {
        ReadSource::Commit { commit, tree } => Ok((Some(commit.clone()), Some(tree.clone()))),
        ReadSource::Unborn { tree } => Ok((None, tree.clone())),
        ReadSource::Index | ReadSource::Worktree => Err(Diagnostic::new(
            Code::Io,
            "a commit on something that is not a commit",
        )),
    }
}

/// Returns who is the author of what `batch` commits.
pub(super) fn author(
    batch: &Batch,
    committer: &Identity,
    repo: &Repo,
) -> Result<Identity, Diagnostic> {
    match &batch.author {
        Some(author) => Ok(committer.renamed(&author.name, &author.email)),
        None => repo.author(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{Sandbox, change, file};
    use crate::manifest::{Author, Destination};
    use crate::publish::testing::{batch, codes, publish, put};
    use crate::publish::{Hooks, aim};
    use crate::snapshot::{Change, File, FileMode};

    fn commit(repo: &Repo, branch: Option<&str>, batches: Vec<Batch>) -> Result<Receipt, Refusal> {
        let target = aim(repo, Destination::Commit, branch, None, Hooks::Skip)?;
        publish(&batches, &target, repo)
    }

    const FILES: [(&str, &str); 3] = [
        ("a.txt", "one\n"),
        ("dir/b.txt", "bee\n"),
        ("dir/deep/c.txt", "sea\n"),
    ];

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
            let mut second = batch(
                "again",
                vec![change("a.txt", Some("two\n"), Some("three\n"))],
            );
            second.author = Some(Author {
                name: "Bot".to_owned(),
                email: "bot@x".to_owned(),
            });
            let receipt = commit(&repo, None, vec![first, second]).unwrap();
            assert_eq!(receipt.commits.len(), 2);
            let tip = receipt.commits.last().unwrap().as_ref().unwrap();
            assert_eq!(sandbox.git_in(&bare, &["rev-parse", "main"]), tip.0);
            assert_eq!(sandbox.git_in(&bare, &["show", "main:a.txt"]), "three");
            let files = sandbox.git_in(&bare, &["ls-tree", "-r", "--name-only", "main"]);
            assert_eq!(files, "a.txt\ndir/b.txt\nnew/e.txt");
            let log = sandbox.git_in(&bare, &["log", "--format=%s|%an|%cn", "main"]);
            assert_eq!(
                log,
                "again|Bot|A U Thor\nchange two|A U Thor|A U Thor\nfirst|A U Thor|A U Thor"
            );
            sandbox.git_in(&bare, &["fsck", "--strict"]);
        }
    }

    #[test]
    fn a_branch_that_does_not_exist_starts_at_head() {
        let sandbox = Sandbox::with(&[], &FILES);
        let before = sandbox.digest();
        let repo = sandbox.repo();
        commit(
            &repo,
            Some("bot/x"),
            vec![batch(
                "x",
                vec![change("a.txt", Some("one\n"), Some("two\n"))],
            )],
        )
        .unwrap();
        assert_eq!(sandbox.git(&["log", "--format=%s", "bot/x"]), "x\nfirst");
        assert_eq!(
            sandbox.git(&["log", "-g", "--format=%gs", "bot/x"]),
            "segedit: x"
        );
        sandbox.git(&["branch", "-D", "bot/x"]);
        assert_eq!(sandbox.digest(), before);
    }

    #[test]
    fn a_moved_branch_is_stale_and_stays() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.git(&["branch", "side"]);
        let repo = sandbox.repo();
        let target = aim(&repo, Destination::Commit, Some("side"), None, Hooks::Skip).unwrap();
        sandbox.git(&[
            "update-ref",
            "refs/heads/side",
            &sandbox.git(&["commit-tree", "-m", "other", "HEAD^{tree}"]),
        ]);
        let moved = sandbox.git(&["rev-parse", "side"]);
        let batch = batch("x", vec![change("a.txt", Some("one\n"), Some("two\n"))]);
        let refusal = publish(&[batch], &target, &repo).unwrap_err();
        let Refusal::Stale { name, found, .. } = refusal else {
            panic!("{refusal:?}")
        };
        assert_eq!(
            (name.as_str(), found.unwrap().0),
            ("refs/heads/side", moved.clone())
        );
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
        assert_eq!(
            sandbox.git(&["for-each-ref", "--format=%(refname)"]),
            "refs/heads/main"
        );
        assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), before);
    }

    #[test]
    fn a_checked_out_branch_takes_its_index_and_files_along() {
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            let sandbox = Sandbox::with(&[format], &FILES);
            sandbox.write("mine.txt", "untracked\n");
            sandbox.write("dir/b.txt", "bee, unstaged\n");
            sandbox.write("staged.txt", "staged\n");
            sandbox.git(&["add", "staged.txt"]);
            let mut tool = change("bin/tool", None, Some("#!/bin/sh\n"));
            tool.after = Some(File {
                mode: FileMode::Executable,
                ..file("#!/bin/sh\n")
            });
            let changes = vec![
                change("a.txt", Some("one\n"), Some("two\n")),
                tool,
                change("dir/deep/c.txt", Some("sea\n"), None),
            ];
            let receipt = put(&sandbox.repo(), Destination::Commit, changes).unwrap();
            let tip = receipt.commits[0].as_ref().unwrap();
            assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), tip.0);
            assert_eq!(
                receipt.before.unwrap().0,
                sandbox.git(&["rev-parse", "HEAD~1"])
            );
            assert_eq!(
                sandbox.git(&["status", "--porcelain"]),
                "M dir/b.txt\nA  staged.txt\n?? mine.txt".replace("M dir", " M dir")
            );
            assert_eq!(
                sandbox.git(&["diff-files", "--name-only"]),
                "dir/b.txt",
                "stat data is fresh"
            );
            assert_eq!(sandbox.read("a.txt"), "two\n");
            assert!(
                !sandbox.root().join("dir/deep").exists(),
                "an emptied folder goes"
            );
            assert_eq!(
                sandbox
                    .git(&["ls-files", "-s", "bin/tool"])
                    .split(' ')
                    .next(),
                Some("100755")
            );
            assert_eq!(
                sandbox.git(&["log", "-g", "-1", "--format=%gs", "HEAD"]),
                "segedit: batch"
            );
            sandbox.assert_sound();
        }
    }

    #[test]
    fn whatever_is_in_the_way_refuses_and_changes_nothing() {
        let edit = || {
            vec![
                change("a.txt", Some("one\n"), Some("two\n")),
                change("dir/b.txt", Some("bee\n"), None),
            ]
        };
        let make = || {
            vec![
                change("a.txt", Some("one\n"), Some("two\n")),
                change("new/x.txt", None, Some("x\n")),
            ]
        };
        type Spoil = fn(&Sandbox);
        type Case = (
            &'static str,
            Spoil,
            fn() -> Vec<Change>,
            &'static [&'static str],
        );
        let cases: [Case; 13] = [
            (
                "unstaged",
                |s| s.write("a.txt", "mine\n"),
                edit,
                &["worktree-dirty"],
            ),
            (
                "same size",
                |s| s.write("a.txt", "eno\n"),
                edit,
                &["worktree-dirty"],
            ),
            (
                "staged",
                |s| {
                    s.write("dir/b.txt", "mine\n");
                    s.git(&["add", "."]);
                },
                edit,
                &["worktree-dirty"],
            ),
            (
                "staged and back",
                |s| {
                    s.write("a.txt", "x\n");
                    s.git(&["add", "."]);
                    s.write("a.txt", "one\n")
                },
                edit,
                &["worktree-dirty"],
            ),
            (
                "deleted",
                |s| std::fs::remove_file(s.root().join("a.txt")).unwrap(),
                edit,
                &["worktree-dirty"],
            ),
            (
                "both at once",
                |s| {
                    s.write("a.txt", "m\n");
                    s.write("dir/b.txt", "m\n")
                },
                edit,
                &["worktree-dirty", "worktree-dirty"],
            ),
            (
                "removed from the index",
                |s| {
                    s.git(&["rm", "-q", "--cached", "a.txt"]);
                },
                edit,
                &["worktree-dirty"],
            ),
            (
                "mode",
                |s| {
                    s.git(&["update-index", "--chmod=+x", "a.txt"]);
                },
                edit,
                &["worktree-dirty"],
            ),
            (
                "untracked",
                |s| s.write("new/x.txt", "x\n"),
                make,
                &["untracked-in-the-way"],
            ),
            (
                "untracked folder",
                |s| s.write("new/x.txt/y", "x\n"),
                make,
                &["untracked-in-the-way"],
            ),
            (
                "untracked file for a folder",
                |s| s.write("new", "x\n"),
                make,
                &["untracked-in-the-way"],
            ),
            (
                "staged and gone",
                |s| {
                    s.write("new", "x\n");
                    s.git(&["add", "new"]);
                    std::fs::remove_file(s.root().join("new")).unwrap()
                },
                make,
                &["worktree-dirty"],
            ),
            (
                "announced",
                |s| {
                    s.write("new/x.txt", "x\n");
                    s.git(&["add", "-N", "new"]);
                },
                make,
                &["worktree-dirty"],
            ),
        ];
        for (name, spoil, changes, expected) in cases {
            let sandbox = Sandbox::with(&[], &FILES);
            spoil(&sandbox);
            let before = sandbox.digest();
            let refusal = put(&sandbox.repo(), Destination::Commit, changes()).unwrap_err();
            assert_eq!(codes(refusal), expected, "{name}");
            assert_eq!(sandbox.digest(), before, "{name}");
            assert_eq!(
                std::fs::read_dir(sandbox.root().join(".git/segedit"))
                    .unwrap()
                    .count(),
                1,
                "{name}: only the lock"
            );
            sandbox.assert_sound();
        }
    }

    #[test]
    fn a_link_in_the_worktree_is_never_followed() {
        let sandbox = Sandbox::with(&[], &FILES);
        let outside = sandbox.beside("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("b.txt"), "bee\n").unwrap();
        std::fs::rename(sandbox.root().join("dir"), sandbox.beside("moved")).unwrap();
        std::os::unix::fs::symlink(&outside, sandbox.root().join("dir")).unwrap();
        for changes in [
            vec![change("dir/b.txt", Some("bee\n"), Some("x\n"))],
            vec![change("dir/new", None, Some("x\n"))],
        ] {
            let refusal = put(&sandbox.repo(), Destination::Commit, changes).unwrap_err();
            assert_eq!(codes(refusal), ["path-refused"]);
        }
        assert_eq!(
            std::fs::read_to_string(outside.join("b.txt")).unwrap(),
            "bee\n"
        );
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    }

    #[test]
    fn a_file_becomes_a_folder_and_a_folder_a_file() {
        let sandbox = Sandbox::with(&[], &FILES);
        let changes = vec![
            change("a.txt", Some("one\n"), None),
            change("a.txt/inner", None, Some("in\n")),
            change("dir", None, Some("flat\n")),
            change("dir/b.txt", Some("bee\n"), None),
            change("dir/deep/c.txt", Some("sea\n"), None),
        ];
        put(&sandbox.repo(), Destination::Commit, changes).unwrap();
        assert_eq!(
            sandbox.git(&["ls-tree", "-r", "--name-only", "HEAD"]),
            "a.txt/inner\ndir"
        );
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        sandbox.assert_sound();
    }

    #[test]
    fn unborn_and_detached_heads() {
        let sandbox = Sandbox::new(&[]);
        put(
            &sandbox.repo(),
            Destination::Commit,
            vec![change("x/y.txt", None, Some("y\n"))],
        )
        .unwrap();
        assert_eq!(sandbox.git(&["log", "--format=%s %P", "main"]), "batch");
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        sandbox.git(&["checkout", "-q", "--detach"]);
        put(
            &sandbox.repo(),
            Destination::Commit,
            vec![change("x/y.txt", Some("y\n"), Some("z\n"))],
        )
        .unwrap();
        assert_eq!(sandbox.git(&["log", "--format=%s", "HEAD"]), "batch\nbatch");
        assert_eq!(sandbox.git(&["log", "--format=%s", "main"]), "batch");
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        assert!(
            std::fs::read_to_string(sandbox.root().join(".git/HEAD"))
                .unwrap()
                .len()
                == 41,
            "HEAD stays detached"
        );
        sandbox.assert_sound();
    }

    #[test]
    fn another_worktree_follows_when_it_is_clean() {
        let sandbox = Sandbox::with(&[], &FILES);
        let linked = sandbox.beside("linked");
        sandbox.git(&[
            "worktree",
            "add",
            "-q",
            "-b",
            "side",
            linked.to_str().unwrap(),
        ]);
        let repo = sandbox.repo();
        let edit =
            |old: &str, new: &str| vec![batch("x", vec![change("a.txt", Some(old), Some(new))])];
        commit(&repo, Some("side"), edit("one\n", "two\n")).unwrap();
        assert_eq!(
            std::fs::read_to_string(linked.join("a.txt")).unwrap(),
            "two\n"
        );
        assert_eq!(sandbox.git_in(&linked, &["status", "--porcelain"]), "");
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        assert_eq!(
            sandbox.git_in(&linked, &["log", "-g", "-1", "--format=%gs", "side"]),
            "segedit: x"
        );

        std::fs::write(linked.join("a.txt"), "mine\n").unwrap();
        let refusal = commit(&repo, Some("side"), edit("two\n", "three\n")).unwrap_err();
        assert_eq!(codes(refusal), ["worktree-dirty"]);
        assert_eq!(sandbox.git(&["log", "--format=%s", "side"]), "x\nfirst");

        // And from within the linked one, on its own branch and on the main worktree's.
        let repo = Repo::open(&linked).unwrap();
        sandbox.git_in(&linked, &["checkout", "-q", "a.txt"]);
        commit(&repo, None, edit("two\n", "three\n")).unwrap();
        commit(&repo, Some("main"), edit("one\n", "four\n")).unwrap();
        assert_eq!(sandbox.read("a.txt"), "four\n");
        for dir in [sandbox.root(), &linked] {
            assert_eq!(sandbox.git_in(dir, &["status", "--porcelain"]), "");
        }
        sandbox.assert_sound();
    }

    #[test]
    fn nothing_happens_in_the_middle_of_a_merge_or_rebase() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.git(&["checkout", "-q", "-b", "topic"]);
        sandbox.write("a.txt", "topic\n");
        sandbox.git(&["commit", "-qam", "topic"]);
        sandbox.git(&["checkout", "-q", "main"]);
        sandbox.write("a.txt", "main\n");
        sandbox.git(&["commit", "-qam", "main"]);
        let edit = || {
            vec![batch(
                "x",
                vec![change("dir/b.txt", Some("bee\n"), Some("x\n"))],
            )]
        };
        let stuck = |arguments: &[&str], branch: Option<&str>| {
            assert!(
                !sandbox
                    .command(sandbox.root())
                    .args(arguments)
                    .output()
                    .unwrap()
                    .status
                    .success()
            );
            let before = sandbox.digest();
            let refusal = commit(&sandbox.repo(), branch, edit()).unwrap_err();
            assert_eq!(
                codes(refusal),
                ["worktree-dirty"],
                "{arguments:?} {branch:?}"
            );
            assert_eq!(sandbox.digest(), before);
        };
        stuck(&["merge", "topic"], None);
        sandbox.git(&["merge", "--abort"]);
        stuck(&["cherry-pick", "topic"], None);
        sandbox.git(&["cherry-pick", "--abort"]);
        stuck(&["rebase", "main", "topic"], Some("topic"));
        stuck(&["rebase", "main", "topic"], None);
        sandbox.git(&["rebase", "--abort"]);
    }

    #[test]
    fn a_lock_on_the_index_is_waited_for() {
        let sandbox = Sandbox::with(&[], &FILES);
        let lock = sandbox.root().join(".git/index.lock");
        std::fs::write(&lock, "").unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(300));
                std::fs::remove_file(&lock).unwrap();
            });
            put(
                &sandbox.repo(),
                Destination::Commit,
                vec![change("a.txt", Some("one\n"), Some("two\n"))],
            )
            .unwrap();
        });
        sandbox.assert_sound();
    }

    #[test]
    fn a_lock_that_stays_is_named_with_its_age_and_left_alone() {
        let sandbox = Sandbox::with(&[], &FILES);
        let lock = sandbox.root().join(".git/index.lock");
        std::fs::write(&lock, "").unwrap();
        let before = sandbox.digest();
        let edit = || vec![change("a.txt", Some("one\n"), Some("two\n"))];
        for destination in [Destination::Commit, Destination::Index, Destination::Cached] {
            let refusal = put(&sandbox.repo(), destination, edit())
                .unwrap_err()
                .diagnostics();
            assert_eq!(refusal[0].code, Code::IndexLocked);
            assert!(
                refusal[0].message.contains("index.lock")
                    && refusal[0].message.contains("seconds old")
            );
        }
        assert!(lock.exists());
        assert_eq!(sandbox.digest(), before);
        put(&sandbox.repo(), Destination::Worktree, edit()).unwrap();
    }

    #[test]
    fn what_was_added_between_stays_added() {
        let sandbox = Sandbox::with(&[], &FILES);
        let repo = sandbox.repo();
        let target = aim(&repo, Destination::Commit, None, None, Hooks::Skip).unwrap();
        repo.read_index().unwrap();
        sandbox.write("late.txt", "late\n");
        sandbox.git(&["add", "late.txt"]);
        let edit = batch("x", vec![change("a.txt", Some("one\n"), Some("two\n"))]);
        publish(&[edit], &target, &repo).unwrap();
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "A  late.txt");
    }

    #[test]
    fn a_hook_that_cannot_be_asked_is_not_passed_over_in_silence() {
        use std::os::unix::fs::PermissionsExt as _;
        let sandbox = Sandbox::with(&[], &FILES);
        let hook = sandbox.root().join(".git/hooks/reference-transaction");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        std::fs::write(&hook, "#!/bin/sh\nexit 1\n").unwrap();
        std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
        let repo = sandbox.repo();
        let refusal = aim(&repo, Destination::Commit, None, None, Hooks::Heed).unwrap_err();
        assert!(
            refusal.message.contains("reference-transaction"),
            "{refusal:?}"
        );
        assert!(aim(&repo, Destination::Index, None, None, Hooks::Heed).is_ok());
        let edit = vec![change("a.txt", Some("one\n"), Some("two\n"))];
        let receipt = put(&repo, Destination::Commit, edit).unwrap();
        assert_eq!(receipt.warnings.len(), 1);
    }

    #[test]
    fn commits_are_signed_when_the_caller_signs() {
        let sandbox = Sandbox::with(&[], &FILES);
        let key = sandbox.beside("key");
        let made = std::process::Command::new("ssh-keygen")
            .args([
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-C",
                "test",
                "-f",
                key.to_str().unwrap(),
            ])
            .status();
        sandbox.git(&["config", "commit.gpgSign", "true"]);
        sandbox.git(&["config", "gpg.format", "ssh"]);
        let edit = || vec![change("a.txt", Some("one\n"), Some("two\n"))];
        let before = sandbox.digest();
        let refusal = put(&sandbox.repo(), Destination::Commit, edit()).unwrap_err();
        assert_eq!(
            codes(refusal),
            ["unsupported-repository"],
            "no key, no commit"
        );
        assert_eq!(sandbox.digest(), before);
        if !made.is_ok_and(|status| status.success()) {
            return eprintln!("no ssh-keygen here: nothing signed");
        }
        sandbox.git(&["config", "user.signingKey", key.to_str().unwrap()]);
        put(&sandbox.repo(), Destination::Commit, edit()).unwrap();
        assert!(
            sandbox
                .git(&["cat-file", "commit", "HEAD"])
                .contains("-----BEGIN SSH SIGNATURE-----")
        );
        assert_eq!(
            sandbox.git(&["log", "-1", "--format=%an <%ae> %s"]),
            "A U Thor <author@example.org> batch"
        );
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    }

    #[test]
    fn the_tree_must_be_what_the_batch_was_resolved_on() {
        let sandbox = Sandbox::with(&[], &FILES);
        let repo = sandbox.repo();
        let refusal = put(
            &repo,
            Destination::Commit,
            vec![change("a.txt", Some("other\n"), Some("x\n"))],
        )
        .unwrap_err();
        assert!(
            matches!(&refusal, Refusal::Stale { name, .. } if name == "a.txt"),
            "{refusal:?}"
        );
        let twice = vec![
            change("a.txt", Some("one\n"), Some("x\n")),
            change("a.txt/b", None, Some("x\n")),
        ];
        assert_eq!(
            codes(put(&repo, Destination::Commit, twice).unwrap_err()),
            ["path-refused"]
        );
    }

    /// Publishes until it lands, resolving again whenever the branch moved in between, as `apply` does.
    fn insist(repo: &Repo, branch: Option<&str>, name: &str) {
        for _ in 0..1000 {
            match commit(
                repo,
                branch,
                vec![batch(name, vec![change(name, None, Some("x\n"))])],
            ) {
                Ok(_) => return,
                Err(Refusal::Stale { .. }) => {}
                Err(refusal) => panic!("{name}: {refusal:?}"),
            }
        }
        panic!("{name} never landed");
    }

    #[test]
    fn many_writers_on_one_branch_all_land() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.git(&["branch", "side"]);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let repo = sandbox.repo();
                scope.spawn(move || {
                    for round in 0..5 {
                        insist(&repo, Some("side"), &format!("f{writer}-{round}"));
                    }
                });
            }
        });
        assert_eq!(sandbox.git(&["rev-list", "--count", "side"]), "21");
        assert_eq!(
            sandbox
                .git(&["ls-tree", "--name-only", "side"])
                .lines()
                .count(),
            22
        );
        assert_eq!(
            sandbox
                .git(&["log", "-g", "--format=%gs", "side"])
                .lines()
                .count(),
            21
        );
        sandbox.assert_sound();
    }

    #[test]
    fn git_itself_commits_in_between_and_nothing_is_lost() {
        let sandbox = Sandbox::with(&[], &FILES);
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let repo = sandbox.repo();
                scope.spawn(move || {
                    (0..5).for_each(|round| insist(&repo, None, &format!("f{writer}-{round}")))
                });
            }
            let sandbox = &sandbox;
            scope.spawn(move || {
                for round in 0..5 {
                    let name = format!("git-{round}");
                    sandbox.write(&name, "git\n");
                    let git = |arguments: &[&str]| {
                        // git gives up at once when the index or the branch is locked or moved; a person tries again.
                        while !sandbox
                            .command(sandbox.root())
                            .args(arguments)
                            .output()
                            .unwrap()
                            .status
                            .success()
                        {}
                    };
                    git(&["add", &name]);
                    git(&["commit", "-q", "-m", &name, "--", &name]);
                }
            });
        });
        assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "16");
        assert_eq!(
            sandbox
                .git(&["ls-tree", "-r", "--name-only", "HEAD"])
                .lines()
                .count(),
            18
        );
        // `git commit` reads the index before it locks it, and may write it back without what came in between: two gits alone lose
        // an entry in some ten of a thousand such commits. The files and the branch have it all the same.
        let status = sandbox.git(&["status", "--porcelain"]);
        let missing: Vec<&str> = status
            .lines()
            .filter_map(|line| line.strip_prefix("D  "))
            .collect();
        let there: Vec<&str> = status
            .lines()
            .filter_map(|line| line.strip_prefix("?? "))
            .collect();
        assert_eq!(
            (&missing, missing.len() * 2),
            (&there, status.lines().count()),
            "{status}"
        );
        assert!(
            missing.len() < 3 && missing.iter().all(|name| name.starts_with('f')),
            "{status}"
        );
        sandbox.assert_sound();
    }

    #[test]
    fn a_folder_that_becomes_a_link_meanwhile_leads_nowhere() {
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        let sandbox = Sandbox::with(&[], &FILES);
        let outside = sandbox.beside("outside");
        std::fs::create_dir(&outside).unwrap();
        for name in ["b.txt", "new.txt"] {
            std::fs::write(outside.join(name), "bee\n").unwrap();
        }
        let (folder, aside) = (sandbox.root().join("dir"), sandbox.beside("aside"));
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    let _ = std::fs::rename(&folder, &aside);
                    let _ = std::os::unix::fs::symlink(&outside, &folder);
                    let _ = std::fs::remove_file(&folder);
                    let _ = std::fs::rename(&aside, &folder);
                }
            });
            let repo = sandbox.repo();
            let mut outcomes = [0, 0];
            for round in 0..60 {
                let (old, new) = (
                    sandbox.git(&["show", "HEAD:dir/b.txt"]) + "\n",
                    format!("{round}\n"),
                );
                let edit = vec![change("dir/b.txt", Some(&old), Some(&new))];
                outcomes[usize::from(put(&repo, Destination::Commit, edit).is_err())] += 1;
            }
            done.store(true, Relaxed);
            eprintln!("published and refused: {outcomes:?}");
        });
        for name in ["b.txt", "new.txt"] {
            assert_eq!(
                std::fs::read_to_string(outside.join(name)).unwrap(),
                "bee\n"
            );
        }
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 2);
        // Where the last one could not follow its branch, it keeps the index locked until the next puts that right.
        put(
            &sandbox.repo(),
            Destination::Commit,
            vec![change("after.txt", None, Some("after\n"))],
        )
        .unwrap();
        sandbox.assert_sound();
    }
}
