//! Publishing fails or dies at every step it has, for every destination, and for undo and redo: the batch is there wholly or not
//! at all, and whatever command comes next leaves nothing of the accident.
//!
//! The steps are found by reading the source, so that none is forgotten. The longer sweep, at system calls, is
//! `tests/crash/sweep.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{Run, Sandbox, walk};
use crate::tools;

/// A destination and what it is published on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
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

const WAYS: [Way; 8] =
    [Way::CheckedOut, Way::Packed, Way::OtherBranch, Way::Bare, Way::Index, Way::Cached, Way::Worktree, Way::Stash];

/// How a step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accident {
    /// It fails.
    Failure,
    /// The process is gone.
    Death,
}

/// Changes a file, deletes one, moves one that is executable, makes one in a new folder.
const OPERATIONS: &str = "\
version: 1
operations:
  - {op: replace, file: a.txt, lines: 2, content: \"TWO\\n\"}
  - {op: remove, file: dir/gone.txt}
  - {op: rename_file, file: old/run.sh, to: new/run.sh}
  - {op: create, file: new/b.txt, content: \"b\\n\"}
";

/// What git says about everything but objects; of the stash and the branches what they hold, not when they were made.
#[derive(Clone, PartialEq, Eq)]
struct Seen(String);

impl Way {
    fn sandbox(self) -> Sandbox {
        let sandbox = Sandbox::unborn();
        sandbox.write("a.txt", "one\ntwo\nthree\n");
        sandbox.write("dir/gone.txt", "gone\n");
        sandbox.write("old/run.sh", "#!/bin/sh\necho run\n");
        sandbox.write("mine.txt", "mine\n");
        let script = sandbox.repo().join("old/run.sh");
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).expect("an executable file");
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

    fn copy(self, start: &Sandbox) -> Sandbox {
        if self == Way::Bare { start.copy_bare() } else { start.copy() }
    }

    fn apply(self) -> Vec<&'static str> {
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

    fn see(self, sandbox: &Sandbox) -> Seen {
        let mut text = String::new();
        let mut ask = |words: &[&str]| {
            let run = sandbox.try_git(words);
            text.push_str(&format!("{}\n{}\n", words.join(" "), run.out()));
        };
        ask(&["for-each-ref", "--format=%(refname) %(tree) %(contents:subject)", "refs/heads", "refs/stash"]);
        if self != Way::Bare {
            ask(&["status", "--porcelain", "--untracked-files=all"]);
            ask(&["ls-files", "--stage"]);
            for (path, entry) in sandbox.worktree_tree() {
                text.push_str(&format!("{} {path}\n{}", entry.mode, String::from_utf8_lossy(&entry.bytes)));
            }
        }
        for log in ["HEAD", "refs/heads/main", "refs/heads/other", "refs/stash"] {
            let log = std::fs::read_to_string(sandbox.git_folder().join("logs").join(log)).unwrap_or_default();
            log.lines()
                .filter_map(|line| line.split_once('\t'))
                .for_each(|(_, said)| text.push_str(&format!("{said}\n")));
        }
        Seen(text)
    }
}

/// Everything below the git folder that is ours or a lock; the entries of the history and the index of segments aside.
fn litter(sandbox: &Sandbox) -> Vec<String> {
    let git = sandbox.git_folder();
    let mut found = Vec::new();
    walk(&git, &git, &mut |name, _| {
        let kept = ["segedit/lock"];
        let ours = name.starts_with("segedit/") && !kept.contains(&name) && !name.starts_with("segedit/cache/");
        if ours || name.ends_with(".lock") || name.contains("index.segedit-") {
            found.push(name.to_owned());
        }
    });
    for entry in std::fs::read_dir(git.join("segedit")).into_iter().flatten().flatten() {
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
fn run(sandbox: &Sandbox, words: &[&str], step: &str, passed: usize, accident: Accident) -> Run {
    let end = if accident == Accident::Death { "return(abort)" } else { "return" };
    let first = if passed == 0 { String::new() } else { format!("{passed}*off->") };
    // Only once: what tidies up after it may pass the same step.
    let plan = format!("{step}={first}1*{end}->off");
    sandbox.run(sandbox.segedit_command().args(words).env("FAILPOINTS", plan), OPERATIONS.as_bytes())
}

/// Returns the names of the steps in the source.
fn steps() -> BTreeSet<String> {
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
fn sound(sandbox: &Sandbox, what: &str) {
    let run = sandbox.try_git(&["fsck", "--strict", "--no-dangling"]);
    assert!(run.exit == 0, "{what}\n{run}\n{sandbox}");
}

/// What a test compares with: seen before and after a run that nothing happened to.
struct Expected {
    before: Seen,
    after: Seen,
}

/// One accident, and what comes after it. Returns how often the step is passed without it, if `passed` is past that.
fn suffer(
    way: Way,
    expected: &Expected,
    start: &Sandbox,
    words: &[&str],
    at: (&str, usize),
    accident: Accident,
) -> bool {
    let what = format!("{way:?}: {} {} after {}: {accident:?}", words.join(" "), at.0, at.1);
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
fn settle(way: Way, expected: &Expected, sandbox: &Sandbox, words: &[&str], what: &str, number: usize) {
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
        ["/.segedit-", "/tmp-", "/index.segedit-", "journal.new"].iter().any(|part| format!("/{name}").contains(part))
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
        assert_eq!(sandbox.git(&["show", "--format=", "--name-only", "HEAD"]), staged, "{what}");
    }
    let more = "version: 1\noperations:\n  - {op: create, file: more.txt, content: \"more\\n\"}\n";
    let mut next = way.apply();
    next.push("--no-verify");
    let run = sandbox.segedit_with_input(&next, more.as_bytes());
    assert!(run.exit == 0, "{what}\n{run}\n{sandbox}");
    assert_eq!(litter(sandbox), Vec::<String>::new(), "{what}");
    sound(sandbox, what);
}

fn difference(expected: &Seen, found: &Seen) -> String {
    let lines = |seen: &Seen| seen.0.lines().map(str::to_owned).collect::<Vec<_>>();
    let (expected, found) = (lines(expected), lines(found));
    let missing = expected.iter().filter(|line| !found.contains(line)).map(|line| format!("- {line}"));
    let extra = found.iter().filter(|line| !expected.contains(line)).map(|line| format!("+ {line}"));
    missing.chain(extra).collect::<Vec<_>>().join("\n")
}

/// Tries every step of the command `words` on `start`, after each number of `passings`, and counts the accidents at each.
fn sweep(way: Way, start: &Sandbox, words: &[&str], passings: &[usize]) -> BTreeMap<String, usize> {
    let whole = way.copy(start);
    let before = way.see(&whole);
    let run = whole.segedit_with_input(words, OPERATIONS.as_bytes());
    assert!(run.exit == 0, "{way:?}\n{run}\n{whole}");
    let expected = Expected { before, after: way.see(&whole) };
    assert!(expected.before != expected.after, "{way:?}: nothing happened\n{run}");
    assert_eq!(litter(&whole), Vec::<String>::new());
    let mut came = BTreeMap::new();
    for step in steps() {
        for &passed in passings {
            let meets = |accident| usize::from(suffer(way, &expected, start, words, (&step, passed), accident));
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
fn sweep_all(name: &str, each: impl Fn(Way) -> BTreeMap<String, usize> + Sync) {
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
        for came in
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause)))
        {
            for (step, count) in came {
                *all.entry(step).or_default() += count;
            }
        }
    });
    println!("{name}: {} accidents at {all:?}", all.values().sum::<usize>());
    // A stash entry is dropped, and a packed ref removed, by undoing and redoing alone.
    let is_theirs = |step: &str| step.starts_with("stash-") || step.starts_with("packed-");
    let wanted = all.iter().filter(|(step, _)| is_theirs(step) != (name == "apply"));
    let never: Vec<_> = wanted.filter(|(_, count)| **count == 0).collect();
    assert!(never.is_empty(), "steps that nothing passes: {never:?}");
}

#[test]
fn a_batch_is_there_or_not_whatever_step_fails() {
    sweep_all("apply", |way| sweep(way, &way.sandbox(), &way.apply(), &[0, 2]));
}

#[test]
fn undoing_and_redoing_happen_or_not_whatever_step_fails() {
    sweep_all("undo and redo", |way| {
        let mut came = BTreeMap::new();
        if matches!(way, Way::Bare | Way::OtherBranch | Way::Cached) {
            return came;
        }
        let sandbox = way.sandbox();
        let done = sandbox.segedit_with_input(&way.apply(), OPERATIONS.as_bytes());
        assert_eq!(done.exit, 0, "{done}");
        for command in ["undo", "redo"] {
            sandbox.git(&["pack-refs", "--all"]);
            for (step, count) in sweep(way, &sandbox, &[command, "--quiet"], &[0]) {
                *came.entry(step).or_default() += count;
            }
            let done = sandbox.segedit(&[command, "--quiet"]);
            assert_eq!(done.exit, 0, "{done}");
        }
        came
    });
}

#[test]
fn a_thin_sweep_of_system_calls_finds_no_bad_state() {
    if !tools::has("strace") {
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crash/sweep.py");
    let program = env!("CARGO_BIN_EXE_git-segedit");
    let words = [script, "--program", program, "--every", "9", "--seconds", "25", "--files", "12"];
    let output =
        std::process::Command::new("python3").args(words).env("PATH", tools::path()).output().expect("python3 runs");
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{complained}");
    println!("{said}{complained}");
}

#[test]
fn what_cannot_be_put_back_is_put_back_by_the_next_command() {
    if !tools::has("strace") {
        return;
    }
    let way = Way::Worktree;
    let sandbox = way.sandbox();
    let before = way.see(&sandbox);
    // The third exchange fails, and so does every one after it, those that would put the first two back among them.
    let third = exchange(&way.copy(&sandbox), &way.apply(), OPERATIONS.as_bytes(), 3);
    let inject = format!("inject=renameat2:error=EMFILE:when={third}+");
    let words = ["-f", "-qqq", "-o", "/dev/null", "-e", &inject, "--"];
    let run = sandbox.run(traced(&sandbox, &words).args(way.apply()), OPERATIONS.as_bytes());
    assert_eq!(run.exit, 5, "{run}\n{sandbox}");
    assert!(run.err().contains("git segedit recover"), "{run}");
    assert!(way.see(&sandbox) != before, "nothing happened at all\n{run}");
    let recovered = sandbox.segedit(&["recover"]);
    assert_eq!(recovered.exit, 0, "{recovered}");
    let found = way.see(&sandbox);
    assert!(found == before, "{recovered}\n{}", difference(&before, &found));
    assert_eq!(sandbox.segedit(&["log"]).out(), "");
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

/// Returns how many calls of `renameat2` it takes until the tool has exchanged `number` files: objects are placed by it as well.
pub(crate) fn exchange(sandbox: &Sandbox, words: &[&str], input: &[u8], number: usize) -> usize {
    let log = sandbox.aside().join("renamed.log");
    let to = log.to_str().expect("a plain path");
    let strace = ["-f", "-qqq", "-o", to, "-e", "trace=renameat2", "--"];
    let run = sandbox.run(traced(sandbox, &strace).args(words), input);
    assert_eq!(run.exit, 0, "{run}");
    let text = std::fs::read_to_string(&log).expect("strace wrote its log");
    let mut calls = text.lines().filter(|line| line.contains("renameat2(")).enumerate();
    let exchanged = calls.by_ref().filter(|(_, line)| !line.contains("/objects/")).nth(number - 1);
    exchanged.expect("so many files are exchanged").0 + 1
}

/// Returns the tool under strace, still without arguments of its own.
fn traced(sandbox: &Sandbox, words: &[&str]) -> std::process::Command {
    let strace = tools::folder().join("bin/strace");
    let mut strace = sandbox.program(strace.to_str().expect("a plain path"));
    strace.args(words).arg(env!("CARGO_BIN_EXE_git-segedit"));
    strace
}

/// Returns the system calls of a publication that have to do with order: what is flushed (its path), what is renamed (to where).
fn order(sandbox: &Sandbox, words: &[&str]) -> Vec<(bool, String)> {
    let log = sandbox.aside().join("order.log");
    let to = log.to_str().expect("a plain path");
    let calls = "trace=fsync,fdatasync,rename,renameat,renameat2,link";
    let run = sandbox
        .run(traced(sandbox, &["-f", "-y", "-qqq", "-o", to, "-e", calls, "--"]).args(words), OPERATIONS.as_bytes());
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

#[test]
fn what_is_durable_is_flushed_in_order() {
    if !tools::has("strace") {
        return;
    }
    let sandbox = Way::CheckedOut.sandbox();
    let durable = order(&sandbox, &[&Way::CheckedOut.apply()[..], &["--durable"]].concat());
    let is_object = |path: &str| path.contains("/objects/");
    let placed: Vec<usize> = (0..durable.len()).filter(|&at| !durable[at].0 && is_object(&durable[at].1)).collect();
    let moved =
        durable.iter().position(|(flush, path)| !flush && path.ends_with("refs/heads/main")).expect("the ref moves");
    assert!(placed.len() >= 8, "two blobs, two trees, a commit, and an entry of the history: {durable:#?}");
    for &at in &placed {
        let (folder, _) = durable[at].1.rsplit_once('/').expect("an object stands in a folder");
        assert!(at < moved, "an object after the ref: {durable:?}");
        assert!(durable[at - 1].0, "an object that was not flushed before it got its name: {:?}", durable[at]);
        assert!(
            durable[at..moved].iter().any(|(flush, path)| *flush && path == folder),
            "{folder} is not flushed: {durable:?}"
        );
    }
    assert!(durable[..moved].iter().any(|(flush, path)| *flush && path.ends_with("/objects")), "{durable:?}");
    assert!(durable[..moved].iter().any(|(flush, path)| *flush && path.ends_with("main.lock")), "{durable:?}");
    assert!(durable[moved..].iter().any(|(flush, path)| *flush && path.ends_with("refs/heads")), "{durable:?}");
    // And where the configuration says otherwise.
    let flushed = |configuration: &[&str]| {
        let sandbox = Way::CheckedOut.sandbox();
        configuration.chunks(2).for_each(|pair| drop(sandbox.git(&[&["config"], pair].concat())));
        let calls = order(&sandbox, &Way::CheckedOut.apply());
        let flushes = |what: &str| calls.iter().filter(|(flush, path)| *flush && path.contains(what)).count();
        (flushes("/objects/") > 0, flushes("/refs/heads/") > 0)
    };
    assert_eq!(flushed(&["core.fsync", "none"]), (false, false));
    let packed = |components| flushed(&["core.fsync", components, "transfer.unpackLimit", "1"]);
    assert_eq!(packed("committed,-loose-object"), (true, true), "a pack is flushed where a file is not");
    assert_eq!(packed("all,-pack"), (false, true));
    assert_eq!(flushed(&["core.fsync", "committed,-loose-object"]), (false, true));
    assert_eq!(flushed(&["core.fsync", "loose-object,-reference"]), (true, false));
    assert_eq!(flushed(&["segedit.durable", "true"]), (true, true));
}

/// Runs the tool on a sandbox of `way` with `plan` for the steps.
fn with_plan(way: Way, plan: &str) -> (Sandbox, Run) {
    let sandbox = way.sandbox();
    let run = sandbox.run(sandbox.segedit_command().args(way.apply()).env("FAILPOINTS", plan), OPERATIONS.as_bytes());
    (sandbox, run)
}

#[test]
fn what_somebody_staged_after_the_death_does_not_take_the_batch_back() {
    let (sandbox, run) = with_plan(Way::Index, "passed=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    sandbox.git(&["add", "untracked.txt"]);
    let recovered = sandbox.segedit(&["recover"]);
    assert!(recovered.out().contains("finished"), "{recovered}\n{sandbox}");
    let status = sandbox.git(&["status", "--porcelain", "--no-renames"]);
    assert_eq!(
        status,
        "M  a.txt\nD  dir/gone.txt\nMM mine.txt\nA  new/b.txt\nA  new/run.sh\nD  old/run.sh\nA  untracked.txt"
    );
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn a_lock_that_somebody_removed_by_hand_is_no_sign_that_the_batch_happened() {
    let (sandbox, run) = with_plan(Way::Index, "index-rename=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    std::fs::remove_file(sandbox.git_folder().join("index.lock")).expect("the lock was left");
    sandbox.git(&["add", "untracked.txt"]);
    let recovered = sandbox.segedit(&["recover"]);
    assert!(recovered.out().contains("rolled back"), "{recovered}\n{sandbox}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "MM mine.txt\nA  untracked.txt");
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn an_index_that_cannot_follow_its_branch_is_told_and_made_up_for() {
    let (sandbox, run) = with_plan(Way::CheckedOut, "index-rename=return");
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    assert!(run.err().contains("git segedit recover"), "{run}");
    let refused = sandbox.try_git(&["commit", "--message", "the half"]);
    assert!(refused.exit != 0 && refused.err().contains("index.lock"), "{refused}");
    let recovered = sandbox.segedit(&["recover"]);
    assert_eq!(recovered.exit, 0, "{recovered}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "MM mine.txt\n?? untracked.txt");
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn whoever_only_reads_sees_no_half() {
    let text = |sandbox: &Sandbox| std::fs::read_to_string(sandbox.repo().join("a.txt")).expect("a file");
    let (sandbox, run) = with_plan(Way::Worktree, "passed=off;journal-remove=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    assert_eq!(text(&sandbox), "one\nTWO\nthree\n", "the files were exchanged, the journal stands");
    let found = sandbox.segedit(&["find", "nothing"]);
    assert_eq!(found.exit, 3, "{found}");
    assert_eq!(text(&sandbox), "one\ntwo\nthree\n");
    assert_eq!(litter(&sandbox), Vec::<String>::new());
    let (sandbox, run) = with_plan(Way::CheckedOut, "keep=return(abort)");
    assert_eq!(run.exit, -1, "{run}");
    assert!(sandbox.segedit(&["log", "--format", "json"]).out().contains("\"id\""), "{sandbox}");
    // Who may not write there reads all the same, and whoever publishes is not waited for.
    let (sandbox, _) = with_plan(Way::Worktree, "journal-remove=return(abort)");
    let lock = std::fs::File::open(sandbox.git_folder().join("segedit/lock")).expect("the lock of the queue");
    lock.lock().expect("nobody has it");
    let found = sandbox.segedit(&["find", "nothing"]);
    assert_eq!(found.exit, 3, "{found}");
    assert_eq!(text(&sandbox), "one\nTWO\nthree\n");
}

#[test]
fn an_entry_of_the_history_that_cannot_be_made_is_made_by_the_next_command() {
    let (sandbox, run) = with_plan(Way::CheckedOut, "entry=return");
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    assert!(run.err().contains("the history does not say so yet"), "{run}");
    assert_eq!(sandbox.segedit(&["recover"]).exit, 0);
    assert_eq!(sandbox.segedit(&["undo", "--quiet"]).exit, 0, "{sandbox}");
    assert_eq!(sandbox.git(&["log", "--format=%s", "main"]), "first");
}
