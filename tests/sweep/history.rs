//! Whoever is killed on the way leaves a history that says what happened.

use crate::support::crash::exchange;
use crate::support::history::{does, edit, exits, sandbox, sound, state};
use crate::support::{Sandbox, tools};

const SEVERAL: &str = "version: 1\noperations:\n  - {op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = 2}\n  \
                       - {op: replace, file: other.txt, content: new}\n  - {op: remove, file: notes.md}\n";

/// Returns the tracer, still without arguments.
fn strace(sandbox: &Sandbox) -> std::process::Command {
    sandbox.program(
        tools::folder()
            .join("bin/strace")
            .to_str()
            .expect("a plain path"),
    )
}

/// Runs the tool under strace, which kills it at its `nth` call of `calls`; says whether it ended well.
fn ends_well(sandbox: &Sandbox, args: &[&str], calls: &str, nth: usize) -> bool {
    let mut command = strace(sandbox);
    // Not its children: a git that was begun is let end.
    command.args(["-qqq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
    command.args([
        "-e",
        &format!("inject={calls}:signal=KILL:when={nth}"),
        "--",
        env!("CARGO_BIN_EXE_git-segedit"),
    ]);
    sandbox.run(command.args(args), b"").exit == 0
}

#[test]
fn killed_anywhere_the_history_says_what_happened() {
    // Calls of one name are counted apart from those of another, so each name is swept by itself.
    let calls = std::env::var("SEGEDIT_TEST_CALLS")
        .unwrap_or("rename renameat renameat2 link,linkat".to_owned());
    if !tools::has("strace") {
        return;
    }
    let swept = ["commit", "index", "cached", "worktree", "stash"]
        .map(|destination| (destination, calls.clone()))
        .map(|(destination, calls)| std::thread::spawn(move || sweep(destination, &calls)));
    let (mut killed, mut after_all) = (0, 0);
    for sweep in swept {
        let (dead, late) = sweep.join().expect("a sweep that holds");
        (killed, after_all) = (killed + dead, after_all + late);
    }
    println!("killed {killed} times; {after_all} had happened by then");
    assert!(
        after_all > 5,
        "nobody was killed between the batch and its entry"
    );
}

/// What stands in the repository; a commit is told by its tree.
fn told(sandbox: &Sandbox) -> String {
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
    let (stash, status) = (
        sandbox.git(&["stash", "list"]),
        sandbox.git(&["status", "--porcelain"]),
    );
    let file = sandbox.worktree_tree()["src/a.py"].bytes.clone();
    format!(
        "{tree}\n{stash}\n{status}\n{}",
        String::from_utf8_lossy(&file)
    )
}

/// How many batches the history takes for standing.
fn standing(sandbox: &Sandbox) -> usize {
    let log = does(sandbox, &["log"]);
    let batches = log["batches"].as_array().expect("batches").clone();
    batches
        .iter()
        .filter(|batch| batch["undone"].is_null())
        .count()
}

/// Kills publishing, undoing and redoing wherever that is possible; returns how often, and how often it had happened by
/// then.
fn sweep(destination: &str, calls: &str) -> (usize, usize) {
    let edit = [
        "replace",
        "src/a.py::first",
        "--content",
        "def first(): return 11",
        "--no-diff",
        "--destination",
        destination,
    ];
    let fresh = sandbox();
    let done = fresh.copy();
    exits(&done.segedit(&edit), 0);
    let undone = done.copy();
    does(&undone, &["undo"]);
    let (mut killed, mut after_all) = (0, 0);
    let moves = [
        (&fresh, &edit[..], &done),
        (&done, &["undo"], &undone),
        (&undone, &["redo"], &done),
    ];
    for ((start, command, end), calls) in moves
        .into_iter()
        .flat_map(|step| calls.split(' ').map(move |group| (step, group)))
    {
        for nth in 1.. {
            let sandbox = start.copy();
            let well = ends_well(&sandbox, command, calls, nth);
            let recovered = does(&sandbox, &["recover"]);
            let found = told(&sandbox);
            let ended = found == told(end);
            assert!(
                ended || found == told(start),
                "{destination} {command:?} {nth}: {found}\n{recovered}"
            );
            let expected = if ended {
                standing(end)
            } else {
                standing(start)
            };
            assert_eq!(
                standing(&sandbox),
                expected,
                "{destination} {command:?} {nth}\n{recovered}"
            );
            sound(&sandbox);
            if well {
                assert!(
                    ended,
                    "{destination} {command:?}: it ended well, and nothing was done"
                );
                break;
            }
            (killed, after_all) = (killed + 1, after_all + usize::from(ended));
            exits(
                &sandbox.segedit(&["replace", "notes.md::# Notes", "--content", "new"]),
                0,
            );
        }
    }
    (killed, after_all)
}

#[test]
fn a_branch_that_goes_takes_its_log_along() {
    if !tools::has("strace") {
        return;
    }
    let start = sandbox();
    let batch = edit(
        &start,
        "src/a.py::first",
        "def first(): return 11",
        &["--branch", "bot/x"],
    );
    let batch = batch["batch"].as_str().expect("an id");
    let log = |sandbox: &Sandbox| {
        std::fs::read_to_string(sandbox.git_folder().join("logs/refs/heads/bot/x"))
    };
    let before = log(&start).expect("a log");
    // Killed at every renaming and removal of a file, and at none.
    let (mut group, mut nth, mut killed) = (0, 0, 0);
    // Calls of one name are counted apart from those of another.
    let groups = ["rename", "renameat", "unlink", "unlinkat"];
    while group < groups.len() {
        nth += 1;
        let sandbox = start.copy();
        let well = ends_well(&sandbox, &["undo", batch], groups[group], nth);
        exits(&sandbox.segedit(&["recover"]), 0);
        sound(&sandbox);
        if sandbox
            .try_git(&["rev-parse", "-q", "--verify", "bot/x"])
            .exit
            == 0
        {
            assert_eq!(
                log(&sandbox).expect("it stays with its branch"),
                before,
                "{nth}"
            );
            does(&sandbox, &["undo", batch]);
        }
        assert!(
            log(&sandbox).is_err() && !sandbox.git_folder().join("segedit/log.aside").exists(),
            "{nth}"
        );
        assert!(
            !well || !sandbox.git_folder().join("logs/refs/heads/bot").exists(),
            "an emptied folder goes"
        );
        sandbox.git(&["branch", "bot/x/y"]);
        sandbox.git(&["branch", "-qD", "bot/x/y"]);
        sandbox.git(&["branch", "bot/x"]);
        assert!(
            !log(&sandbox).expect("its own log").contains("segedit"),
            "{nth}"
        );
        killed += usize::from(!well);
        if well {
            (group, nth) = (group + 1, 0);
        }
    }
    assert!(killed > 5, "nobody was killed");
}

#[test]
fn undo_and_redo_begin_where_an_interrupted_one_was_put_in_order() {
    if !tools::has("strace") {
        return;
    }
    for destination in ["worktree", "index"] {
        let sandbox = sandbox();
        let before = state(&sandbox);
        let run = sandbox.segedit_with_input(
            &["apply", "-", "--destination", destination],
            SEVERAL.as_bytes(),
        );
        assert_eq!(run.exit, 0, "{run}");
        let after = state(&sandbox);
        let done = sandbox;
        let undone = done.copy();
        does(&undone, &["undo"]);
        for (command, start, from, to) in [
            ("undo", &done, &after, &before),
            ("redo", &undone, &before, &after),
        ] {
            for more in [&[][..], &["--dry-run"]] {
                let sandbox = start.copy();
                let third = exchange(&start.copy(), &[command], b"", 3);
                let mut killed = strace(&sandbox);
                killed.args(["-qqq", "-o", "/dev/null", "-e", "trace=renameat2"]);
                killed.args([
                    "-e",
                    &format!("inject=renameat2:signal=KILL:when={third}"),
                    "--",
                ]);
                let run = sandbox.run(
                    killed.args([env!("CARGO_BIN_EXE_git-segedit"), command]),
                    b"",
                );
                assert_ne!(run.exit, 0, "{run}");
                let half = state(&sandbox);
                assert!(
                    half != *from && half != *to,
                    "{destination} {command}: not half done"
                );
                does(&sandbox, &[&[command], more].concat());
                assert_eq!(
                    state(&sandbox),
                    *(if more.is_empty() { to } else { from }),
                    "{destination} {command}"
                );
                sound(&sandbox);
            }
        }
    }
}
