//! The history of published batches: every destination undone and redone, step by step; what others did in between; what
//! git's own housekeeping leaves of it.

mod branches;
mod files;
mod gone;
mod interrupted;
mod kept;
mod words;

use crate::support::history::*;

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
            assert!(
                untouched != after_one && after_one != after_two,
                "{destination}"
            );

            let undone = does(&sandbox, &["undo"]);
            assert_eq!(
                (&undone["status"], &undone["act"]),
                (&"published".into(), &"undo".into())
            );
            assert_eq!(
                undone["batch"], two["batch"],
                "{destination}: the last first"
            );
            assert_eq!(undone["files"][0]["path"], "src/a.py");
            assert_eq!(state(&sandbox), after_one, "{destination}");
            let rehearsed = does(&sandbox, &["undo", "--dry-run"]);
            assert_eq!(
                (&rehearsed["status"], &rehearsed["batch"]),
                (&"verified".into(), &one["batch"])
            );
            assert_eq!(state(&sandbox), after_one, "{destination}");
            does(&sandbox, &["undo"]);
            assert_eq!(state(&sandbox), untouched, "{destination}");
            refuses(&sandbox, &["undo"], 4, "nothing-to-undo");

            assert_eq!(
                does(&sandbox, &["redo"])["batch"],
                one["batch"],
                "{destination}"
            );
            assert_eq!(state(&sandbox), after_one, "{destination}");
            assert_eq!(
                does(&sandbox, &["redo", "-n"])["batch"],
                two["batch"],
                "{destination}"
            );
            assert_eq!(
                does(&sandbox, &["redo"])["commit"],
                two["commit"],
                "{destination}: the very same"
            );
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
        let run = sandbox.segedit_with_input(
            &["apply", "-", "--destination", destination],
            file.as_bytes(),
        );
        exits(&run, 0);
        let after = state(&sandbox);
        assert_ne!(before, after);
        does(&sandbox, &["undo"]);
        assert_eq!(state(&sandbox), before, "{destination}");
        assert!(
            !sandbox.repo().join("new").exists(),
            "{destination}: an emptied folder goes"
        );
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
    exits(
        &sandbox.segedit(&["apply", "../one.yaml", "../two.yaml"]),
        0,
    );
    assert_eq!(
        does(&sandbox, &["log"])["batches"].as_array().map(Vec::len),
        Some(2)
    );
    for expected in ["LIMIT = 2", "LIMIT = 1"] {
        does(&sandbox, &["undo"]);
        assert!(
            sandbox
                .git(&["show", "HEAD:src/a.py"])
                .starts_with(expected)
        );
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
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755))
        .expect("an executable hook");
    let both = |command: &str| {
        for more in [&["-n"][..], &[]] {
            refuses(
                &sandbox,
                &[&[command], more].concat(),
                4,
                "unsupported-repository",
            );
            if more.is_empty() {
                does(&sandbox, &[&[command, "--no-verify"], more].concat());
            }
        }
    };
    both("undo");
    both("redo");
}
