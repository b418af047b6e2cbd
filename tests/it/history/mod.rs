//! The history of published batches: every destination undone and redone, step by step; what others did in between; what
//! git's own housekeeping leaves of it.

mod branches;
mod files;
mod gone;
mod interrupted;
mod kept;
mod killed;
mod words;

use serde_json::Value;

use crate::support::{Run, Sandbox};

const WORKER: &str =
    "LIMIT = 1\n\n\ndef first():\n    return 1\n\n\ndef second():\n    return 2\n\n\ndef third():\n    return 3\n";

fn sandbox() -> Sandbox {
    Sandbox::with(&[("src/a.py", WORKER), ("other.txt", "old\n"), ("notes.md", "# Notes\n\ntext\n")])
}

/// A worktree with work of its own: staged, unstaged, both, untracked.
fn bystanders(sandbox: &Sandbox) {
    sandbox.write("other.txt", "staged\n");
    sandbox.git(&["add", "other.txt"]);
    sandbox.write("other.txt", "unstaged\n");
    sandbox.write("notes.md", "# Notes\n\nunstaged\n");
    sandbox.write("untracked", "mine\n");
}

#[track_caller]
fn exits(run: &Run, expected: i32) {
    assert_eq!(run.exit, expected, "{run}");
}

#[track_caller]
fn edit(sandbox: &Sandbox, address: &str, content: &str, more: &[&str]) -> Value {
    let run = sandbox.segedit(&[&["replace", address, "--content", content, "--format", "json"], more].concat());
    exits(&run, 0);
    run.json()
}

#[track_caller]
fn does(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.segedit(&[args, &["--format", "json"]].concat());
    exits(&run, 0);
    run.json()
}

#[track_caller]
fn refuses(sandbox: &Sandbox, args: &[&str], exit: i32, code: &str) -> Value {
    let before = state(sandbox);
    let run = sandbox.segedit(&[args, &["--format", "json"]].concat());
    exits(&run, exit);
    assert_eq!(run.json()["errors"][0]["code"], code, "{run}");
    assert_eq!(state(sandbox), before, "a refusal changed something\n{run}");
    run.json()
}

/// Everything but the history's own refs, the reflogs and the index's stat data.
fn state(sandbox: &Sandbox) -> String {
    let bare = sandbox.git(&["rev-parse", "--is-bare-repository"]) == "true";
    let refs =
        sandbox.git(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/stash", "refs/tags"]);
    let head = std::fs::read_to_string(sandbox.git_folder().join("HEAD")).expect("HEAD");
    if bare {
        return format!("{refs}\n{head}");
    }
    let index = sandbox.git(&["ls-files", "-s"]);
    let stash = sandbox.git(&["stash", "list", "--format=%H"]);
    let files: Vec<String> = sandbox
        .worktree_tree()
        .into_iter()
        .map(|(path, entry)| format!("{} {path} {}", entry.mode, String::from_utf8_lossy(&entry.bytes)))
        .collect();
    format!("{refs}\n{head}\n{index}\n{stash}\n{}", files.join("\n"))
}

#[track_caller]
fn sound(sandbox: &Sandbox) {
    let said = sandbox.git(&["fsck", "--strict", "--no-dangling"]);
    assert_eq!(said, "");
    let folder = sandbox.git_folder();
    let intents = std::fs::read_dir(folder.join("segedit/intents")).into_iter().flatten().count();
    assert_eq!(intents, 0, "an intent is left over");
    for lock in ["index.lock", "HEAD.lock", "refs/heads/main.lock", "refs/stash.lock", "segedit/journal"] {
        assert!(!folder.join(lock).exists(), "{lock} is left over");
    }
}

#[test]
fn every_destination_goes_back_and_forth_two_steps_deep_and_bystanders_stay() {
    for format in ["sha1", "sha256"] {
        for destination in ["commit", "index", "cached", "worktree", "stash"] {
            let sandbox = sandbox();
            if format == "sha256" {
                std::fs::remove_dir_all(sandbox.git_folder()).expect("git's folder");
                sandbox.git(&["init", "-q", "--object-format=sha256"]);
                sandbox.commit_all("first");
            }
            bystanders(&sandbox);
            let to = ["--destination", destination];
            let untouched = state(&sandbox);
            let one = edit(&sandbox, "src/a.py::first", "def first(): return 11", &to);
            let after_one = state(&sandbox);
            // Of two batches for the files, the second stands on what the first left.
            let two = edit(&sandbox, "src/a.py::third", "def third(): return 33", &to);
            let after_two = state(&sandbox);
            assert!(untouched != after_one && after_one != after_two, "{destination}");

            let undone = does(&sandbox, &["undo"]);
            assert_eq!((&undone["status"], &undone["act"]), (&"published".into(), &"undo".into()));
            assert_eq!(undone["batch"], two["batch"], "{destination}: the last first");
            assert_eq!(undone["files"][0]["path"], "src/a.py");
            assert_eq!(state(&sandbox), after_one, "{destination}");
            let rehearsed = does(&sandbox, &["undo", "--dry-run"]);
            assert_eq!((&rehearsed["status"], &rehearsed["batch"]), (&"verified".into(), &one["batch"]));
            assert_eq!(state(&sandbox), after_one, "{destination}");
            does(&sandbox, &["undo"]);
            assert_eq!(state(&sandbox), untouched, "{destination}");
            refuses(&sandbox, &["undo"], 4, "nothing-to-undo");

            assert_eq!(does(&sandbox, &["redo"])["batch"], one["batch"], "{destination}");
            assert_eq!(state(&sandbox), after_one, "{destination}");
            assert_eq!(does(&sandbox, &["redo", "-n"])["batch"], two["batch"], "{destination}");
            assert_eq!(does(&sandbox, &["redo"])["commit"], two["commit"], "{destination}: the very same");
            assert_eq!(state(&sandbox), after_two, "{destination}");
            refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
            does(&sandbox, &["undo"]);
            assert_eq!(state(&sandbox), after_one, "{destination}");
            sound(&sandbox);
        }
    }
}

#[test]
fn files_that_come_go_and_change_their_mode() {
    for destination in ["commit", "index", "cached", "worktree"] {
        let sandbox = sandbox();
        let file = "version: 1\noperations:\n  - {op: create, file: new/deep/x.sh, content: x, executable: true}\n  \
                    - {op: remove, file: other.txt}\n  - {op: rename_file, file: src/a.py, to: src/b.py}\n";
        let before = state(&sandbox);
        let run = sandbox.segedit_with_input(&["apply", "-", "--destination", destination], file.as_bytes());
        exits(&run, 0);
        let after = state(&sandbox);
        assert_ne!(before, after);
        does(&sandbox, &["undo"]);
        assert_eq!(state(&sandbox), before, "{destination}");
        assert!(!sandbox.repo().join("new").exists(), "{destination}: an emptied folder goes");
        does(&sandbox, &["redo"]);
        assert_eq!(state(&sandbox), after, "{destination}");
        sound(&sandbox);
    }
}

#[test]
fn several_files_of_one_call_are_undone_one_by_one() {
    let sandbox = sandbox();
    for (name, value) in [("one.yaml", 2), ("two.yaml", 3)] {
        let text = format!(
            "version: 1\noperations:\n  - {{op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = {value}}}\n"
        );
        std::fs::write(sandbox.aside().join(name), text).expect("an operation file");
    }
    exits(&sandbox.segedit(&["apply", "../one.yaml", "../two.yaml"]), 0);
    assert_eq!(does(&sandbox, &["log"])["batches"].as_array().map(Vec::len), Some(2));
    for expected in ["LIMIT = 2", "LIMIT = 1"] {
        does(&sandbox, &["undo"]);
        assert!(sandbox.git(&["show", "HEAD:src/a.py"]).starts_with(expected));
    }
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1");
}

#[test]
fn a_rehearsal_is_as_strict_as_the_act() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let hook = sandbox.git_folder().join("hooks/reference-transaction");
    std::fs::create_dir_all(hook.parent().expect("a folder")).expect("the folder of hooks");
    std::fs::write(&hook, "#!/bin/sh\n").expect("a hook");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("an executable hook");
    let both = |command: &str| {
        for more in [&["-n"][..], &[]] {
            refuses(&sandbox, &[&[command], more].concat(), 4, "unsupported-repository");
            if more.is_empty() {
                does(&sandbox, &[&[command, "--no-verify"], more].concat());
            }
        }
    };
    both("undo");
    both("redo");
}
