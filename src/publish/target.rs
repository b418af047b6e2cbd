//! `Target`: destination, branch and base revision → what is read, which ref moves, and from where.

use crate::diagnostic::{Code, Diagnostic, shown};
use crate::git::{Expected, Head, ReadSource, Repo};
use crate::manifest::Destination;
use crate::snapshot::Id;

/// What becomes of the hooks that git would run around a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hooks {
    /// All of them are run.
    Heed,
    /// The caller said `--no-verify`: those that it stands for are not.
    Skip,
}

/// Where a batch is resolved and published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublishTarget {
    /// Where it goes.
    pub destination: Destination,
    /// What it is resolved against.
    pub source: ReadSource,
    /// Full name of the ref that moves: a branch, `HEAD` when it is detached, `refs/stash`.
    pub reference: Option<String>,
    /// What that ref has to be.
    pub expected: Expected,
    /// Whether the caller named the base, so that another one would not do.
    pub pinned: bool,
    /// What becomes of the repository's hooks.
    pub hooks: Hooks,
}

/// Says what a batch for `destination` is resolved against and what it moves, or why the repository cannot take it.
pub(crate) fn aim(
    repo: &Repo,
    destination: Destination,
    branch: Option<&str>,
    base: Option<&str>,
    hooks: Hooks,
) -> Result<PublishTarget, Diagnostic> {
    let refuse = |what: &str, with: &str| {
        let message = format!("`{what}` goes with the destination {with} only");
        Err(Diagnostic::new(Code::Malformed, message))
    };
    match destination {
        Destination::Commit => aim_at_branch(repo, branch, base, hooks),
        _ if branch.is_some() => refuse("branch", "`commit`"),
        Destination::Stash => aim_at_stash(repo, base, hooks),
        Destination::Index | Destination::Cached | Destination::Worktree if base.is_some() => {
            refuse("base", "`commit` or `stash`")
        }
        Destination::Index | Destination::Cached => {
            aim_at_files(repo, destination, ReadSource::Index, hooks)
        }
        Destination::Worktree => aim_at_files(repo, destination, ReadSource::Worktree, hooks),
    }
}

fn aim_at_branch(
    repo: &Repo,
    branch: Option<&str>,
    base: Option<&str>,
    hooks: Hooks,
) -> Result<PublishTarget, Diagnostic> {
    let head = repo.head()?;
    let reference = match (branch, &head) {
        (Some(branch), _) => repo.final_name(&full_name(branch)?)?,
        (None, Head::Branch { name, .. }) => name.clone(),
        (None, Head::Detached(_)) => "HEAD".to_owned(),
    };
    if reference != "HEAD" && !reference.starts_with("refs/heads/") {
        let message = format!(
            "{} is not a branch; only branches are moved",
            shown(&reference)
        );
        return Err(Diagnostic::new(Code::Unsupported, message));
    }
    let tip = repo.tip(&reference)?;
    let pinned = base.is_some();
    let base = base
        .map(|base| repo.resolve_commit(base))
        .transpose()?
        .map(|(commit, _)| commit);
    if let (Some(base), Some(tip)) = (&base, &tip)
        && base != tip
    {
        return Err(not_the_tip(&reference, base, tip));
    }
    if tip.is_none() {
        repo.check_new_branch(&reference)?;
    }
    let start = base
        .or_else(|| tip.clone())
        .or_else(|| head.commit().cloned());
    let source = match start {
        Some(commit) => ReadSource::Commit {
            tree: repo.tree_of(&commit)?,
            commit,
        },
        None => ReadSource::Unborn { tree: None },
    };
    hooks.check(repo)?;
    let expected = tip.map_or(Expected::Absent, Expected::At);
    Ok(PublishTarget {
        destination: Destination::Commit,
        source,
        reference: Some(reference),
        expected,
        pinned,
        hooks,
    })
}

fn aim_at_stash(
    repo: &Repo,
    base: Option<&str>,
    hooks: Hooks,
) -> Result<PublishTarget, Diagnostic> {
    repo.check_worktree("stash")?;
    let (commit, tree) = match base {
        Some(base) => repo.resolve_commit(base)?,
        None => {
            let unborn = || {
                Diagnostic::new(
                    Code::UnsupportedRepository,
                    "there is no commit yet, and a stash entry stands on one",
                )
            };
            let commit = repo.head()?.commit().cloned().ok_or_else(unborn)?;
            (commit.clone(), repo.tree_of(&commit)?)
        }
    };
    let reference = "refs/stash".to_owned();
    let expected = repo.tip(&reference)?.map_or(Expected::Absent, Expected::At);
    let source = ReadSource::Commit { commit, tree };
    let (pinned, reference) = (base.is_some(), Some(reference));
    Ok(PublishTarget {
        destination: Destination::Stash,
        source,
        reference,
        expected,
        pinned,
        hooks,
    })
}

fn aim_at_files(
    repo: &Repo,
    destination: Destination,
    source: ReadSource,
    hooks: Hooks,
) -> Result<PublishTarget, Diagnostic> {
    repo.check_worktree(match destination {
        Destination::Index => "index",
        Destination::Cached => "cached",
        Destination::Worktree | Destination::Commit | Destination::Stash => "worktree",
    })?;
    Ok(PublishTarget {
        destination,
        source,
        reference: None,
        expected: Expected::Absent,
        pinned: false,
        hooks,
    })
}

/// Returns the full name of `branch`, which may be short or full, or says why it is not one.
fn full_name(branch: &str) -> Result<String, Diagnostic> {
    let refuse = |why: &str| {
        Err(Diagnostic::new(
            Code::Malformed,
            format!("branch `{}` {why}", shown(branch)),
        ))
    };
    let short = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    if short.starts_with("refs/") {
        return refuse("is not one: only refs below refs/heads/ are moved");
    }
    if short == "HEAD"
        || short.starts_with('-')
        || !crate::git::is_ref_name(&format!("refs/heads/{short}"))
    {
        return refuse("is not a valid branch name");
    }
    Ok(format!("refs/heads/{short}"))
}

fn not_the_tip(reference: &str, base: &Id, tip: &Id) -> Diagnostic {
    let short = |id: &Id| id.0.chars().take(12).collect::<String>();
    let branch = shown(reference.strip_prefix("refs/heads/").unwrap_or(reference));
    Diagnostic::new(
        Code::RefMoved,
        format!(
            "base {} is not the tip of {branch}, which is {}",
            short(base),
            short(tip)
        ),
    )
    .note("leave `base` out to build on the tip, or name a new `branch` to build on the base")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Sandbox;

    #[test]
    fn branches_and_bases() {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        sandbox.git(&["branch", "side"]);
        sandbox.git(&["tag", "-a", "v1", "-m", "tag"]);
        sandbox.write("a.txt", "two\n");
        sandbox.git(&["commit", "-qam", "second"]);
        let (first, second) = (
            sandbox.git(&["rev-parse", "HEAD~1"]),
            sandbox.git(&["rev-parse", "HEAD"]),
        );
        let repo = sandbox.repo();
        let check = |branch, base, expected: Result<(&str, &str, Option<&str>), Code>| {
            let target = aim(&repo, Destination::Commit, branch, base, Hooks::Skip);
            let found = target
                .as_ref()
                .map_err(|refusal| refusal.code)
                .map(|target| {
                    let ReadSource::Commit { commit, .. } = &target.source else {
                        panic!("{target:?}")
                    };
                    let expected = target.expected.id().map(|id| id.0.as_str());
                    (
                        target.reference.as_deref().unwrap(),
                        commit.0.as_str(),
                        expected,
                    )
                });
            assert_eq!(found, expected, "branch {branch:?} base {base:?}");
        };
        let (one, two) = (first.as_str(), second.as_str());
        check(None, None, Ok(("refs/heads/main", two, Some(two))));
        check(Some("side"), None, Ok(("refs/heads/side", one, Some(one))));
        check(
            Some("refs/heads/side"),
            Some("v1"),
            Ok(("refs/heads/side", one, Some(one))),
        );
        check(Some("new"), None, Ok(("refs/heads/new", two, None)));
        check(Some("new"), Some("v1"), Ok(("refs/heads/new", one, None)));
        check(None, Some("HEAD~1"), Err(Code::RefMoved));
        check(None, Some("nosuch"), Err(Code::FileNotFound));
        check(None, Some("HEAD:a.txt"), Err(Code::Unsupported));
        check(None, Some("--upload-pack=x"), Err(Code::Malformed));
        for bad in ["HEAD", "-x", "a..b", "x.lock", "refs/tags/v2", "a b"] {
            check(Some(bad), None, Err(Code::Malformed));
        }
        check(Some("side/deeper"), None, Err(Code::Unsupported));
        sandbox.git(&["branch", "above/one/two"]);
        for packed in [false, true] {
            if packed {
                sandbox.git(&["pack-refs", "--all"]);
            }
            check(Some("above"), None, Err(Code::Unsupported));
            check(Some("above/one"), None, Err(Code::Unsupported));
            check(Some("abo"), None, Ok(("refs/heads/abo", two, None)));
        }
    }

    #[test]
    fn heads_of_every_sort() {
        let unborn = Sandbox::new(&[]);
        let target = aim(&unborn.repo(), Destination::Commit, None, None, Hooks::Skip).unwrap();
        assert_eq!(
            (target.source, target.expected),
            (ReadSource::Unborn { tree: None }, Expected::Absent)
        );
        assert!(aim(&unborn.repo(), Destination::Stash, None, None, Hooks::Skip).is_err());

        let detached = Sandbox::with(&["--object-format=sha256"], &[("a.txt", "one\n")]);
        detached.git(&["checkout", "-q", "--detach"]);
        let target = aim(
            &detached.repo(),
            Destination::Commit,
            None,
            None,
            Hooks::Skip,
        )
        .unwrap();
        assert_eq!(target.reference.as_deref(), Some("HEAD"));

        let bare = Repo::open(&detached.bare_clone()).unwrap();
        let refusal = aim(&bare, Destination::Index, None, None, Hooks::Skip).unwrap_err();
        assert_eq!(refusal.code, Code::UnsupportedRepository);
    }
}
