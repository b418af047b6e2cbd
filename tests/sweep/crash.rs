//! Publishing, undoing and redoing fail or die at every step they have, for every destination, and at system calls.

use std::collections::BTreeMap;

use crate::support::crash::*;
use crate::support::tools;

#[test]
fn a_batch_is_there_or_not_whatever_step_fails() {
    sweep_all("apply", |way| {
        sweep(way, &way.sandbox(), &way.apply(), &[0, 2])
    });
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
    let words = [
        script,
        "--program",
        program,
        "--every",
        "9",
        "--most",
        "60",
        "--files",
        "12",
    ];
    let output = std::process::Command::new("python3")
        .args(words)
        .env("PATH", tools::path())
        .output()
        .expect("python3 runs");
    let (said, complained) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
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
    let run = sandbox.run(
        traced(&sandbox, &words).args(way.apply()),
        OPERATIONS.as_bytes(),
    );
    assert_eq!(run.exit, 5, "{run}\n{sandbox}");
    assert!(run.err().contains("git segedit recover"), "{run}");
    assert!(
        way.see(&sandbox) != before,
        "nothing happened at all\n{run}"
    );
    let recovered = sandbox.segedit(&["recover"]);
    assert_eq!(recovered.exit, 0, "{recovered}");
    let found = way.see(&sandbox);
    assert!(
        found == before,
        "{recovered}\n{}",
        difference(&before, &found)
    );
    assert_eq!(sandbox.segedit(&["log"]).out(), "");
    assert_eq!(litter(&sandbox), Vec::<String>::new());
}

#[test]
fn what_is_durable_is_flushed_in_order() {
    if !tools::has("strace") {
        return;
    }
    let sandbox = Way::CheckedOut.sandbox();
    let durable = order(
        &sandbox,
        &[&Way::CheckedOut.apply()[..], &["--durable"]].concat(),
    );
    let is_object = |path: &str| path.contains("/objects/");
    let placed: Vec<usize> = (0..durable.len())
        .filter(|&at| !durable[at].0 && is_object(&durable[at].1))
        .collect();
    let moved = durable
        .iter()
        .position(|(flush, path)| !flush && path.ends_with("refs/heads/main"))
        .expect("the ref moves");
    assert!(
        placed.len() >= 8,
        "two blobs, two trees, a commit, and an entry of the history: {durable:#?}"
    );
    for &at in &placed {
        let (folder, _) = durable[at]
            .1
            .rsplit_once('/')
            .expect("an object stands in a folder");
        assert!(at < moved, "an object after the ref: {durable:?}");
        assert!(
            durable[at - 1].0,
            "an object that was not flushed before it got its name: {:?}",
            durable[at]
        );
        assert!(
            durable[at..moved]
                .iter()
                .any(|(flush, path)| *flush && path == folder),
            "{folder} is not flushed: {durable:?}"
        );
    }
    assert!(
        durable[..moved]
            .iter()
            .any(|(flush, path)| *flush && path.ends_with("/objects")),
        "{durable:?}"
    );
    assert!(
        durable[..moved]
            .iter()
            .any(|(flush, path)| *flush && path.ends_with("main.lock")),
        "{durable:?}"
    );
    assert!(
        durable[moved..]
            .iter()
            .any(|(flush, path)| *flush && path.ends_with("refs/heads")),
        "{durable:?}"
    );
    // And where the configuration says otherwise.
    let flushed = |configuration: &[&str]| {
        let sandbox = Way::CheckedOut.sandbox();
        configuration
            .chunks(2)
            .for_each(|pair| drop(sandbox.git(&[&["config"], pair].concat())));
        let calls = order(&sandbox, &Way::CheckedOut.apply());
        let flushes = |what: &str| {
            calls
                .iter()
                .filter(|(flush, path)| *flush && path.contains(what))
                .count()
        };
        (flushes("/objects/") > 0, flushes("/refs/heads/") > 0)
    };
    assert_eq!(flushed(&["core.fsync", "none"]), (false, false));
    let packed = |components| flushed(&["core.fsync", components, "transfer.unpackLimit", "1"]);
    assert_eq!(
        packed("committed,-loose-object"),
        (true, true),
        "a pack is flushed where a file is not"
    );
    assert_eq!(packed("all,-pack"), (false, true));
    assert_eq!(
        flushed(&["core.fsync", "committed,-loose-object"]),
        (false, true)
    );
    assert_eq!(
        flushed(&["core.fsync", "loose-object,-reference"]),
        (true, false)
    );
    assert_eq!(flushed(&["segedit.durable", "true"]), (true, true));
}
