//! The destinations `index`, `cached` and `worktree`: like `git apply --index`, `--cached` and plain `git apply`.

use super::batch::Receipt;
use super::displace::Strictness;
use super::journal::Pivot;
use super::refusal::Refusal;
use super::site::Sites;
use super::survey::Intended;
use crate::diagnostic::{Code, Diagnostic};
use crate::git::{Object, Repo, refuse_pointers};
use crate::manifest::Destination;
use crate::snapshot::{Change, Id};

/// Index, files or both, ready to be exchanged.
pub(super) struct PreparedFiles<'q> {
    sites: Sites<'q>,
    destination: FilesDestination,
}

/// Where changes go that make no commit.
#[derive(Clone, Copy)]
enum FilesDestination {
    Index,
    Cached,
    Worktree,
}

/// Prepares to put what is intended where `destination` says, which makes no commit; `commits` says so of each batch. Returns what
/// comes of it, too.
pub(super) fn prepare<'q>(
    intended: &Intended<'_>,
    commits: Vec<Option<Id>>,
    destination: Destination,
    repo: &'q Repo,
) -> Result<(Receipt, PreparedFiles<'q>), Refusal> {
    let destination = match destination {
        Destination::Index => FilesDestination::Index,
        Destination::Cached => FilesDestination::Cached,
        Destination::Worktree => FilesDestination::Worktree,
        Destination::Commit | Destination::Stash => {
            let message = "files alone make neither a commit nor a stash entry";
            return Err(Diagnostic::new(Code::Io, message).into());
        }
    };
    refuse_pointers(intended.changes)?;
    let pivot = match destination {
        FilesDestination::Index | FilesDestination::Cached => Pivot::Index,
        FilesDestination::Worktree => Pivot::Journal,
    };
    let mut sites = Sites::lock(repo, vec![repo.into()], pivot)?;
    let displaced = match destination {
        FilesDestination::Index => sites.survey(intended, Strictness::Index)?,
        FilesDestination::Worktree => sites.survey(intended, Strictness::Files)?,
        FilesDestination::Cached => {
            sites.survey_indexes(intended.changes)?;
            Vec::new()
        }
    };
    match destination {
        FilesDestination::Index | FilesDestination::Cached => {
            repo.write_objects(&blobs(repo, intended.changes))?;
        }
        FilesDestination::Worktree => {}
    }
    sites.announce(None)?;
    let ready = PreparedFiles { sites, destination };
    Ok((Receipt::of_files(commits, displaced), ready))
}

impl PreparedFiles<'_> {
    /// Exchanges the files, and gives the index its new content.
    pub(super) fn commit(mut self) -> Result<(), Refusal> {
        match self.destination {
            FilesDestination::Index => {
                self.sites.exchange()?;
                self.sites.write_indexes(None)?;
            }
            // The index to come was written with the survey.
            FilesDestination::Cached => {}
            FilesDestination::Worktree => self.sites.exchange()?,
        }
        Ok(self.sites.pass()?)
    }
}

fn blobs(repo: &Repo, changes: &[Change]) -> Vec<Object> {
    changes
        .iter()
        .filter_map(|change| change.after.as_ref())
        .map(|file| repo.blob(file.bytes.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::git::ReadSource;
    use crate::git::testing::{Sandbox, change, path};
    use crate::manifest::Destination::{Cached, Index, Worktree};
    use crate::publish::testing::{codes, put};
    use crate::snapshot::SnapshotEntry;

    const FILES: [(&str, &str); 2] = [("a.txt", "one\n"), ("dir/b.txt", "bee\n")];

    fn edits() -> Vec<Change> {
        vec![
            change("a.txt", Some("one\n"), Some("two\n")),
            change("dir/b.txt", Some("bee\n"), None),
            change("new/x.txt", None, Some("x\n")),
        ]
    }

    #[test]
    fn each_destination_changes_what_git_apply_would() {
        let cases = [
            (Index, "M  a.txt\nD  dir/b.txt\nA  new/x.txt\n?? mine"),
            (
                Cached,
                "MM a.txt\nD  dir/b.txt\nAD new/x.txt\n?? dir/\n?? mine",
            ),
            (Worktree, " M a.txt\n D dir/b.txt\n?? mine\n?? new/"),
        ];
        for format in ["--object-format=sha1", "--object-format=sha256"] {
            for (destination, status) in cases {
                let sandbox = Sandbox::with(&[format], &FILES);
                sandbox.write("mine", "mine\n");
                put(&sandbox.repo(), destination, edits()).unwrap();
                let porcelain = sandbox
                    .command(sandbox.root())
                    .args(["status", "--porcelain"])
                    .output()
                    .unwrap();
                assert_eq!(
                    String::from_utf8(porcelain.stdout)
                        .unwrap()
                        .trim_end_matches('\n'),
                    status,
                    "{destination:?}"
                );
                assert_eq!(sandbox.git(&["log", "--format=%s"]), "first");
                sandbox.assert_sound();
            }
        }
    }

    #[test]
    fn what_is_not_as_it_was_read_is_refused_untouched() {
        type Spoil = fn(&Sandbox);
        let unstaged: Spoil = |s| s.write("a.txt", "mine\n");
        let staged: Spoil = |s| {
            s.write("a.txt", "mine\n");
            s.git(&["add", "a.txt"]);
        };
        let untracked: Spoil = |s| s.write("new/x.txt", "x\n");
        let cases = [
            (Index, unstaged, "worktree-dirty"),
            (Index, staged, "ref-moved"),
            (Index, untracked, "untracked-in-the-way"),
            (Cached, staged, "ref-moved"),
            (Worktree, unstaged, "ref-moved"),
            (Worktree, untracked, "untracked-in-the-way"),
        ];
        for (destination, spoil, expected) in cases {
            let sandbox = Sandbox::with(&[], &FILES);
            spoil(&sandbox);
            let before = sandbox.digest();
            assert_eq!(
                codes(put(&sandbox.repo(), destination, edits()).unwrap_err()),
                [expected],
                "{destination:?}"
            );
            assert_eq!(sandbox.digest(), before);
            sandbox.assert_sound();
        }
    }

    #[test]
    fn a_save_right_before_the_exchange_stays_and_nothing_is_published() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        for destination in [Index, Worktree] {
            for nth in 0..2 {
                let sandbox = Sandbox::with(&[], &FILES);
                // What goes makes room first.
                let (saved, other) = [("dir/b.txt", "a.txt"), ("a.txt", "dir/b.txt")][nth];
                let before = sandbox.read(other);
                let (place, exchanges) = (sandbox.root().join(saved), AtomicUsize::new(0));
                let thread = std::thread::current().id();
                // Tests beside this one come by here as well.
                let save = move || {
                    if std::thread::current().id() == thread
                        && exchanges.fetch_add(1, Ordering::Relaxed) == nth
                    {
                        std::fs::write(&place, "the only save\n").unwrap();
                    }
                };
                fail::cfg_callback("exchange", save).unwrap();
                let refused = put(&sandbox.repo(), destination, edits());
                fail::remove("exchange");
                assert_eq!(codes(refused.unwrap_err()), ["worktree-dirty"]);
                assert_eq!(sandbox.read(saved), "the only save\n");
                assert_eq!(sandbox.read(other), before);
                assert!(!sandbox.root().join("new/x.txt").exists());
                assert!(sandbox.repo().kept_saves().is_empty());
                sandbox.assert_sound();
            }
        }
    }

    #[test]
    fn an_unborn_head_has_an_index_and_files_too() {
        for destination in [Index, Cached, Worktree] {
            let sandbox = Sandbox::new(&[]);
            put(
                &sandbox.repo(),
                destination,
                vec![change("x", None, Some("x\n"))],
            )
            .unwrap();
            let expected = match destination {
                Index => "A  x",
                Cached => "AD x",
                _ => "?? x",
            };
            assert_eq!(sandbox.git(&["status", "--porcelain"]), expected);
        }
    }

    #[test]
    fn line_endings_and_filters_are_gits() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.write(
            ".gitattributes",
            "*.crlf text eol=crlf\n*.up filter=up\n*.utf16 text working-tree-encoding=UTF-16LE\n",
        );
        sandbox.git(&["config", "filter.up.clean", "tr a-z A-Z"]);
        sandbox.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
        sandbox.git(&["config", "filter.up.required", "true"]);
        sandbox.write("t.crlf", "one\r\ntwo\r\n");
        sandbox.write("t.up", "hello\n");
        sandbox.git(&["add", "-A"]);
        sandbox.git(&["commit", "-qm", "attributes"]);
        let repo = sandbox.repo();
        let snapshot = repo
            .snapshot(&ReadSource::Worktree, &[path("t.crlf"), path("t.up")], &[])
            .unwrap();
        assert_eq!(
            &snapshot.file(&path("t.crlf")).unwrap().bytes[..],
            b"one\ntwo\n"
        );
        assert_eq!(&snapshot.file(&path("t.up")).unwrap().bytes[..], b"HELLO\n");
        let changes = vec![
            change("t.crlf", Some("one\ntwo\n"), Some("one\n2\n")),
            change("t.up", Some("HELLO\n"), Some("HULLO\n")),
        ];
        put(&repo, crate::manifest::Destination::Commit, changes).unwrap();
        assert_eq!(sandbox.read("t.crlf"), "one\r\n2\r\n");
        assert_eq!(sandbox.read("t.up"), "hullo\n");
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        sandbox.assert_sound();
    }

    #[test]
    fn sparse_split_and_plain_indexes_keep_their_form() {
        type Make = fn(&Sandbox);
        let cases: [(&str, Make); 4] = [
            ("skip-worktree", |s| {
                s.git(&["sparse-checkout", "set", "--no-cone", "/a.txt"]);
            }),
            ("sparse index", |s| {
                s.git(&["sparse-checkout", "set", "--cone", "--sparse-index"]);
            }),
            ("split index", |s| {
                s.git(&["update-index", "--split-index"]);
            }),
            ("version 4", |s| {
                s.git(&["update-index", "--index-version", "4"]);
            }),
        ];
        for (name, make) in cases {
            let sandbox = Sandbox::with(&[], &FILES);
            make(&sandbox);
            let sparse = name.starts_with('s') && name != "split index";
            put(
                &sandbox.repo(),
                crate::manifest::Destination::Commit,
                vec![
                    change("a.txt", Some("one\n"), Some("two\n")),
                    change("dir/b.txt", Some("bee\n"), Some("buzz\n")),
                ],
            )
            .unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
            assert_eq!(sandbox.git(&["status", "--porcelain"]), "", "{name}");
            assert_eq!(sandbox.git(&["show", "HEAD:dir/b.txt"]), "buzz", "{name}");
            assert_eq!(
                sandbox.root().join("dir/b.txt").exists(),
                !sparse,
                "{name}: what is not checked out stays so"
            );
            if sparse {
                assert!(
                    sandbox.git(&["ls-files", "-t"]).contains("S dir/b.txt"),
                    "{name}"
                );
            }
            sandbox.assert_sound();
        }
    }

    #[test]
    fn conflicts_and_announced_files_are_no_ground_to_stand_on() {
        let sandbox = Sandbox::with(&[], &FILES);
        sandbox.write("n.txt", "n\n");
        sandbox.git(&["add", "-N", "n.txt"]);
        let id = sandbox.git(&["rev-parse", "HEAD:a.txt"]);
        sandbox.git(&["rm", "-q", "--cached", "a.txt"]);
        let info = format!("100644 {id} 1\ta.txt\n100644 {id} 2\ta.txt\n");
        let mut child = sandbox.command(sandbox.root());
        let mut child = child
            .args(["update-index", "--index-info"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), info.as_bytes()).unwrap();
        child.wait().unwrap();
        for name in ["n.txt", "a.txt"] {
            let refusal = sandbox
                .repo()
                .snapshot(&ReadSource::Index, &[path(name)], &[])
                .unwrap_err();
            assert_eq!(refusal.code, Code::WorktreeDirty, "{name}");
        }
        let snapshot = sandbox
            .repo()
            .snapshot(&ReadSource::Index, &[path("dir/b.txt")], &[])
            .unwrap();
        assert!(matches!(
            snapshot.entry(&path("dir/b.txt")),
            SnapshotEntry::File(_)
        ));
    }
}
