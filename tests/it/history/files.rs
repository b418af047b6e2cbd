//! Batches for index, files and stash, where others have been at work since.

use crate::support::Sandbox;
use crate::support::history::{WORKER, does, edit, exits, refuses, sandbox, sound, state};

#[test]
fn uncommitted_work_in_a_path_of_the_batch_refuses() {
    type Spoil = fn(&Sandbox);
    let unstaged: Spoil = |sandbox| sandbox.write("src/a.py", "mine\n");
    let staged: Spoil = |sandbox| {
        sandbox.write("src/a.py", "mine\n");
        sandbox.git(&["add", "src/a.py"]);
    };
    let gone: Spoil =
        |sandbox| std::fs::remove_file(sandbox.repo().join("src/a.py")).expect("the file");
    for (destination, spoil, code) in [
        ("commit", unstaged, "worktree-dirty"),
        ("commit", staged, "worktree-dirty"),
        ("commit", gone, "worktree-dirty"),
        ("index", unstaged, "changed-since"),
        ("index", staged, "changed-since"),
        ("index", gone, "changed-since"),
        ("cached", staged, "changed-since"),
        ("worktree", unstaged, "changed-since"),
        ("worktree", gone, "changed-since"),
    ] {
        let sandbox = sandbox();
        edit(
            &sandbox,
            "src/a.py::first",
            "def first(): return 11",
            &["--destination", destination],
        );
        spoil(&sandbox);
        let report = refuses(&sandbox, &["undo"], 4, code);
        assert!(
            report["errors"][0]["message"]
                .as_str()
                .expect("words")
                .contains("src/a.py"),
            "{report}"
        );
        refuses(&sandbox, &["undo", "-n"], 4, code);
        sound(&sandbox);
    }
}

#[test]
fn every_path_that_changed_since_is_named_at_once() {
    for destination in ["index", "cached", "worktree"] {
        let sandbox = sandbox();
        let file = "version: 1\noperations:\n  - {op: replace, file: src/a.py, symbol: LIMIT, content: LIMIT = 2}\n  \
                    - {op: replace, file: other.txt, content: new}\n  - {op: remove, file: notes.md}\n";
        exits(
            &sandbox.segedit_with_input(
                &["apply", "-", "--destination", destination],
                file.as_bytes(),
            ),
            0,
        );
        sandbox.write("other.txt", "mine\n");
        sandbox.write("notes.md", "mine\n");
        if destination == "cached" {
            sandbox.git(&["add", "other.txt", "notes.md"]);
        }
        let report = refuses(&sandbox, &["undo"], 4, "changed-since");
        let words = report["errors"][0]["message"].as_str().expect("words");
        assert_eq!(words, "changed since: notes.md, other.txt", "{destination}");
    }
}

#[test]
fn the_index_alone_goes_back_under_work_that_is_not_staged() {
    let sandbox = sandbox();
    sandbox.write("src/a.py", "mine\n");
    let before = state(&sandbox);
    edit(
        &sandbox,
        "src/a.py::first",
        "def first(): return 11",
        &["--destination", "cached"],
    );
    does(&sandbox, &["undo"]);
    assert_eq!(state(&sandbox), before);
    // And the files alone, when what they became was staged since.
    sandbox.write("src/a.py", WORKER);
    edit(
        &sandbox,
        "src/a.py::first",
        "def first(): return 11",
        &["--destination", "worktree"],
    );
    sandbox.git(&["add", "src/a.py"]);
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "MM src/a.py");
    assert!(sandbox.git(&["show", ":src/a.py"]).contains("return 11"));
}

#[test]
fn a_stash_entry_goes_by_its_name_and_not_by_its_place() {
    let sandbox = sandbox();
    let stash = ["--destination", "stash"];
    edit(
        &sandbox,
        "src/a.py::first",
        "def first(): return 11",
        &stash,
    );
    let ours = sandbox.git(&["rev-parse", "refs/stash"]);
    for text in ["theirs 1\n", "theirs 2\n"] {
        sandbox.write("other.txt", text);
        sandbox.git(&["stash", "push", "-q"]);
    }
    let theirs = sandbox
        .git(&["stash", "list", "--format=%H"])
        .lines()
        .take(2)
        .map(str::to_owned)
        .collect::<Vec<_>>();
    does(&sandbox, &["undo"]);
    assert_eq!(
        sandbox.git(&["stash", "list", "--format=%H"]),
        theirs.join("\n")
    );
    sandbox.git(&[
        "reflog",
        "expire",
        "--expire=all",
        "--all",
        "--expire-unreachable=now",
    ]);
    sandbox.git(&["gc", "-q", "--prune=now"]);
    assert_ne!(
        sandbox.try_git(&["cat-file", "-e", &ours]).exit,
        0,
        "git has collected the entry"
    );
    does(&sandbox, &["redo"]);
    assert_eq!(sandbox.git(&["rev-parse", "stash@{0}"]), ours);
    sandbox.git(&["stash", "pop", "-q"]);
    assert!(
        sandbox.worktree_tree()["src/a.py"]
            .bytes
            .starts_with(b"LIMIT = 1\n\n\ndef first(): return 11")
    );
    refuses(&sandbox, &["undo"], 4, "nothing-to-undo");
    sound(&sandbox);
}
