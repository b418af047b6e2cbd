//! Publishing fails or dies at every step it has, for every destination, and for undo and redo: the batch is there wholly or not
//! at all, and whatever command comes next leaves nothing of the accident.
//!
//! The steps are found by reading the source, so that none is forgotten. The longer sweep, at system calls, is
//! `tests/crash/sweep.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::{Run, Sandbox, tools, walk};

/// A destination and what it is published on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    CheckedOut,
    /// Where even a few objects become a pack.
    Packed,
    OtherBranch,
    Bare,
    Index,
    Cached,
    Worktree,
    Stash,
}

pub(crate) const WAYS: [Way; 8] = [
    Way::CheckedOut,
    Way::Packed,
    Way::OtherBranch,
    Way::Bare,
    Way::Index,
    Way::Cached,
    Way::Worktree,
    Way::Stash,
];

/// How a step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accident {
    /// It fails.
    Failure,
    /// The process is gone.
    Death,
}

/// Changes a file, deletes one, moves one that is executable, makes one in a new folder.
pub(crate) const OPERATIONS: &str = "\
version: 1
operations:
  - {op: replace, file: a.txt, lines: 2, content: \"TWO\\n\"}
  - {op: remove, file: dir/gone.txt}
  - {op: rename_file, file: old/run.sh, to: new/run.sh}
  - {op: create, file: new/b.txt, content: \"b\\n\"}
";

/// What git says about everything but objects; of the stash and the branches what they hold, not when they were made.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Seen(String);

impl Way {
    pub(crate) fn sandbox(self) -> Sandbox {
        let sandbox = Sandbox::unborn();
        sandbox.write("a.txt", "one\ntwo\nthree\n");
        sandbox.write("dir/gone.txt", "gone\n");
        sandbox.write("old/run.sh", "#!/bin/sh\necho run\n");
        sandbox.write("mine.txt", "mine\n");
        let script = sandbox.repo().join("old/run.sh");
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755))
            .expect("an executable file");
        sandbox.commit_all("first");
        sandbox.git(&["branch", "other"]);
        if self == Way::Packed {
            sandbox.git(&["config", "transfer.unpackLimit", "1"]);
        }
        if self == Way::Bare {
            return sandbox;
        }
        // Unfinished work beside it: one file staged and edited again, one untracked.
        sandbox.write("mine.txt", "staged\n");
        sandbox.git(&["add", "mine.txt"]);
        sandbox.write("mine.txt", "edited\n");
        sandbox.write("untracked.txt", "untracked\n");
        sandbox
    }

    pub(crate) fn copy(self, start: &Sandbox) -> Sandbox {
        if self == Way::Bare {
            start.copy_bare()
        } else {
            start.copy()
        }
    }

    pub(crate) fn apply(self) -> Vec<&'static str> {
        let mut words = vec!["apply", "-", "--no-diff", "--quiet"];
        words.extend_from_slice(match self {
            Way::CheckedOut | Way::Packed => &[],
            Way::OtherBranch => &["--branch", "other"],
            Way::Bare => &["--branch", "main"],
            Way::Index => &["--destination", "index"],
            Way::Cached => &["--destination", "cached"],
            Way::Worktree => &["--destination", "worktree"],
            Way::Stash => &["--destination", "stash"],
        });
        words
    }

    pub(crate) fn see(self, sandbox: &Sandbox) -> Seen {
        let mut text = String::new();
        let mut ask = |words: &[&str]| {
            let run = sandbox.try_git(words);
            text.push_str(&format!("{}\n{}\n", words.join(" "), run.out()));
        };
        ask(&[
            "for-each-ref",
            "--format=%(refname) %(tree) %(contents:subject)",
            "refs/heads",
            "refs/stash",
        ]);
        if self != Way::Bare {
            ask(&["status", "--porcelain", "--untracked-files=all"]);
            ask(&["ls-files", "--stage"]);
            for (path, entry) in sandbox.worktree_tree() {
                text.push_str(&format!(
                    "{} {path}\n{}",
                    entry.mode,
                    String::from_utf8_lossy(&entry.bytes)
                ));
            }
        }
        for log in ["HEAD", "refs/heads/main", "refs/heads/other", "refs/stash"] {
            let log = std::fs::read_to_string(sandbox.git_folder().join("logs").join(log))
                .unwrap_or_default();
            log.lines()
                .filter_map(|line| line.split_once('\t'))
                .for_each(|(_, said)| text.push_str(&format!("{said}\n")));
        }
        Seen(text)
    }
}

/// Everything below the git folder that is ours or a lock; the entries of the history and the index of segments aside.
pub(crate) fn litter(sandbox: &Sandbox) -> Vec<String> {
    let git = sandbox.git_folder();
    let mut found = Vec::new();
    walk(&git, &git, &mut |name, _| {
        let kept = ["segedit/lock"];
        let ours = name.starts_with("segedit/")
            && !kept.contains(&name)
            && !name.starts_with("segedit/cache/");
        if ours || name.ends_with(".lock") || name.contains("index.segedit-") {
            found.push(name.to_owned());
        }
    });
    for entry in std::fs::read_dir(git.join("segedit"))
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !["lock", "intents", "cache"].contains(&name.as_str()) {
            found.push(format!("segedit/{name}"));
        }
    }
    if git != sandbox.repo() {
        walk(&sandbox.repo(), &sandbox.repo(), &mut |name, _| {
            if name.contains(".segedit-") && !name.starts_with(".git/") {
                found.push(name.to_owned());
            }
        });
    }
    found
}

/// Runs the tool so that `step` ends in `accident` once it was passed `passed` times.
pub(crate) fn run(
    sandbox: &Sandbox,
    words: &[&str],
    step: &str,
    passed: usize,
    accident: Accident,
) -> Run {
    let end = if accident == Accident::Death {
        "return(abort)"
    } else {
        "return"
    };
    let first = if passed == 0 {
        String::new()
    } else {
        format!("{passed}*off->")
    };
    // Only once: what tidies up after it may pass the same step.
    let plan = format!("{step}={first}1*{end}->off");
    sandbox.run(
        sandbox
            .segedit_command()
            .args(words)
            .env("FAILPOINTS", plan),
        OPERATIONS.as_bytes(),
    )
}

/// Returns the names of the steps in the source.
pub(crate) fn steps() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = BTreeSet::new();
    walk(root, &root.join("src"), &mut |_, path| {
        let text = std::fs::read_to_string(path).expect("source is text");
        for (at, _) in text.match_indices("step(\"") {
            let name: String = text[at + 6..].chars().take_while(|&c| c != '"').collect();
            if text[at + 6 + name.len()..].starts_with("\")") {
                names.insert(name);
            }
        }
    });
    names
}

#[track_caller]
pub(crate) fn sound(sandbox: &Sandbox, what: &str) {
    let run = sandbox.try_git(&["fsck", "--strict", "--no-dangling"]);
    assert!(run.exit == 0, "{what}\n{run}\n{sandbox}");
}

/// What a test compares with: seen before and after a run that nothing happened to.
pub(crate) struct Expected {
    before: Seen,
    after: Seen,
}

/// One accident, and what comes after it. Returns how often the step is passed without it, if `passed` is past that.
pub(crate) fn suffer(
    way: Way,
    expected: &Expected,
    start: &Sandbox,
    words: &[&str],
    at: (&str, usize),
    accident: Accident,
) -> bool {
    let what = format!(
        "{way:?}: {} {} after {}: {accident:?}",
        words.join(" "),
        at.0,
        at.1
    );
    let sandbox = way.copy(start);
    let run = run(&sandbox, words, at.0, at.1, accident);
    let seen = || way.see(&sandbox);
    let hit = run.exit != 0 || !run.err().is_empty();
    if accident == Accident::Death && run.exit == -1 {
        settle(way, expected, &sandbox, words, &what, at.1 + at.0.len());
        return true;
    }
    let found = seen();
    if run.exit == 0 {
        assert!(
            found == expected.after,
            "{what}: published, but not wholly\n{run}\n{sandbox}\n{}",
            difference(&expected.after, &found)
        );
    } else {
        assert!([4, 5].contains(&run.exit), "{what}\n{run}");
        assert!(
            found == expected.before,
            "{what}: refused, but not untouched\n{run}\n{sandbox}\n{}",
            difference(&expected.before, &found)
        );
        assert_eq!(litter(&sandbox), Vec::<String>::new(), "{what}\n{run}");
    }
    // A refusal that changed nothing and left nothing leaves nothing to settle.
    if hit && run.exit == 0 {
        settle(way, expected, &sandbox, words, &what, at.1 + at.0.len());
    }
    hit
}

/// The next command puts everything in order.
pub(crate) fn settle(
    way: Way,
    expected: &Expected,
    sandbox: &Sandbox,
    words: &[&str],
    what: &str,
    number: usize,
) {
    sound(sandbox, what);
    let tip = |sandbox: &Sandbox| sandbox.git(&["rev-parse", "main", "other"]);
    let moved = tip(sandbox);
    if number.is_multiple_of(2) {
        let run = sandbox.segedit(&["recover"]);
        assert!(run.exit == 0, "{what}\n{run}\n{sandbox}");
    } else {
        // Refused at once: it only puts things in order first.
        let nowhere = b"version: 1\noperations:\n  - {op: remove, file: no/such.txt}\n";
        let run = sandbox.segedit_with_input(&["apply", "-", "--quiet"], nowhere);
        assert!([3, 4].contains(&run.exit), "{what}\n{run}\n{sandbox}");
    }
    assert_eq!(tip(sandbox), moved, "{what}: recovering moves no branch");
    let found = way.see(sandbox);
    let published = found == expected.after;
    assert!(
        published || found == expected.before,
        "{what}: neither before nor after\n{sandbox}\n{}\n{}",
        difference(&expected.before, &found),
        difference(&expected.after, &found)
    );
    // What is neither a lock nor a journal waits for whoever publishes next.
    let harmless = |name: &String| {
        ["/.segedit-", "/tmp-", "/index.segedit-", "journal.new"]
            .iter()
            .any(|part| format!("/{name}").contains(part))
    };
    let left = litter(sandbox);
    assert!(left.iter().all(harmless), "{what}: {left:?}");
    // The history agrees: what is there can be taken back, what is not there is not listed.
    if words[0] == "apply" {
        let log = sandbox.segedit(&["log", "--format", "json"]);
        let listed = log.out().contains("\"id\"");
        assert_eq!(listed, published, "{what}\n{log}\n{sandbox}");
        if published && way != Way::Bare && way != Way::OtherBranch {
            let undo = sandbox.segedit(&["undo", "--quiet"]);
            assert_eq!(undo.exit, 0, "{what}\n{undo}\n{sandbox}");
        }
    }
    // And life goes on.
    if way != Way::Bare {
        let staged = sandbox.git(&["diff", "--cached", "--name-only"]);
        sandbox.git(&["commit", "--quiet", "--message", "next"]);
        assert_eq!(
            sandbox.git(&["show", "--format=", "--name-only", "HEAD"]),
            staged,
            "{what}"
        );
    }
    let more = "version: 1\noperations:\n  - {op: create, file: more.txt, content: \"more\\n\"}\n";
    let mut next = way.apply();
    next.push("--no-verify");
    let run = sandbox.segedit_with_input(&next, more.as_bytes());
    assert!(run.exit == 0, "{what}\n{run}\n{sandbox}");
    assert_eq!(litter(sandbox), Vec::<String>::new(), "{what}");
    sound(sandbox, what);
}

pub(crate) fn difference(expected: &Seen, found: &Seen) -> String {
    let lines = |seen: &Seen| seen.0.lines().map(str::to_owned).collect::<Vec<_>>();
    let (expected, found) = (lines(expected), lines(found));
    let missing = expected
        .iter()
        .filter(|line| !found.contains(line))
        .map(|line| format!("- {line}"));
    let extra = found
        .iter()
        .filter(|line| !expected.contains(line))
        .map(|line| format!("+ {line}"));
    missing.chain(extra).collect::<Vec<_>>().join("\n")
}

/// Tries every step of the command `words` on `start`, after each number of `passings`, and counts the accidents at each.
pub(crate) fn sweep(
    way: Way,
    start: &Sandbox,
    words: &[&str],
    passings: &[usize],
) -> BTreeMap<String, usize> {
    let whole = way.copy(start);
    let before = way.see(&whole);
    let run = whole.segedit_with_input(words, OPERATIONS.as_bytes());
    assert!(run.exit == 0, "{way:?}\n{run}\n{whole}");
    let expected = Expected {
        before,
        after: way.see(&whole),
    };
    assert!(
        expected.before != expected.after,
        "{way:?}: nothing happened\n{run}"
    );
    assert_eq!(litter(&whole), Vec::<String>::new());
    let mut came = BTreeMap::new();
    for step in steps() {
        for &passed in passings {
            let meets = |accident| {
                usize::from(suffer(
                    way,
                    &expected,
                    start,
                    words,
                    (&step, passed),
                    accident,
                ))
            };
            let hits = match meets(Accident::Death) {
                0 => 0,
                death => death + meets(Accident::Failure),
            };
            *came.entry(step.clone()).or_default() += hits;
            if hits == 0 {
                break;
            }
        }
    }
    came
}

/// Runs `sweep` for several ways at once and tells what came.
pub(crate) fn sweep_all(name: &str, each: impl Fn(Way) -> BTreeMap<String, usize> + Sync) {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = WAYS
            .into_iter()
            .map(|way| {
                scope.spawn({
                    let each = &each;
                    move || each(way)
                })
            })
            .collect();
        for came in threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|cause| std::panic::resume_unwind(cause))
        }) {
            for (step, count) in came {
                *all.entry(step).or_default() += count;
            }
        }
    });
    println!(
        "{name}: {} accidents at {all:?}",
        all.values().sum::<usize>()
    );
    // A stash entry is dropped, and a packed ref removed, by undoing and redoing alone. Drafts have tests of their own.
    let is_theirs = |step: &str| step.starts_with("stash-") || step.starts_with("packed-");
    let is_of_draft = |step: &str| step.starts_with("draft-");
    let wanted = all
        .iter()
        .filter(|(step, _)| is_theirs(step) != (name == "apply") && !is_of_draft(step));
    let never: Vec<_> = wanted.filter(|(_, count)| **count == 0).collect();
    assert!(never.is_empty(), "steps that nothing passes: {never:?}");
}

/// Returns how many calls of `renameat2` it takes until the tool has exchanged `number` files: objects are placed by it as well.
pub(crate) fn exchange(sandbox: &Sandbox, words: &[&str], input: &[u8], number: usize) -> usize {
    let log = sandbox.aside().join("renamed.log");
    let to = log.to_str().expect("a plain path");
    let strace = ["-f", "-qqq", "-o", to, "-e", "trace=renameat2", "--"];
    let run = sandbox.run(traced(sandbox, &strace).args(words), input);
    assert_eq!(run.exit, 0, "{run}");
    let text = std::fs::read_to_string(&log).expect("strace wrote its log");
    let mut calls = text
        .lines()
        .filter(|line| line.contains("renameat2("))
        .enumerate();
    let exchanged = calls
        .by_ref()
        .filter(|(_, line)| !line.contains("/objects/"))
        .nth(number - 1);
    exchanged.expect("so many files are exchanged").0 + 1
}

/// Returns the tool under strace, still without arguments of its own.
pub(crate) fn traced(sandbox: &Sandbox, words: &[&str]) -> std::process::Command {
    let strace = tools::folder().join("bin/strace");
    let mut strace = sandbox.program(strace.to_str().expect("a plain path"));
    strace.args(words).arg(env!("CARGO_BIN_EXE_git-segedit"));
    strace
}

/// Returns the system calls of a publication that have to do with order: what is flushed (its path), what is renamed (to where).
pub(crate) fn order(sandbox: &Sandbox, words: &[&str]) -> Vec<(bool, String)> {
    let log = sandbox.aside().join("order.log");
    let to = log.to_str().expect("a plain path");
    let calls = "trace=fsync,fdatasync,rename,renameat,renameat2,link";
    let run = sandbox.run(
        traced(sandbox, &["-f", "-y", "-qqq", "-o", to, "-e", calls, "--"]).args(words),
        OPERATIONS.as_bytes(),
    );
    assert_eq!(run.exit, 0, "{run}");
    let text = std::fs::read_to_string(&log).expect("strace wrote its log");
    let path = |line: &str, from: &str, to: &str| {
        let (_, rest) = line.rsplit_once(from)?;
        Some(rest.split_once(to)?.0.to_owned())
    };
    text.lines()
        .filter_map(|line| {
            if line.contains("sync(") {
                Some((true, path(line, "<", ">")?))
            } else {
                Some((false, path(line, ", \"", "\"")?))
            }
        })
        .collect()
}

/// Runs the tool on a sandbox of `way` with `plan` for the steps.
pub(crate) fn with_plan(way: Way, plan: &str) -> (Sandbox, Run) {
    let sandbox = way.sandbox();
    let run = sandbox.run(
        sandbox
            .segedit_command()
            .args(way.apply())
            .env("FAILPOINTS", plan),
        OPERATIONS.as_bytes(),
    );
    (sandbox, run)
}
