//! Batches on branches: moved back, taken back by a commit on top, resolved again by name; every sort of HEAD.

use std::path::Path;

use serde_json::Value;

use crate::support::Sandbox;
use crate::support::history::{
    WORKER, bystanders, does, edit, exits, refuses, sandbox, sound, state,
};

#[test]
fn a_branch_that_moved_on_gets_an_inverse_commit() {
    let sandbox = sandbox();
    edit(
        &sandbox,
        "src/a.py::first",
        "def first():\n    return 11",
        &[],
    );
    let batch = sandbox.git(&[
        "log",
        "-1",
        "--format=%(trailers:key=Segedit-Batch,valueonly)",
    ]);
    sandbox.write(
        "src/a.py",
        sandbox
            .git(&["show", "HEAD:src/a.py"])
            .replace("return 3", "return 33")
            + "\n",
    );
    sandbox.git(&["commit", "-qam", "theirs"]);
    let theirs = sandbox.git(&["rev-parse", "HEAD"]);
    bystanders(&sandbox);
    let before = state(&sandbox);
    let undone = does(&sandbox, &["undo"]);
    assert_eq!(undone["commit"], sandbox.git(&["rev-parse", "HEAD"]));
    assert_eq!(sandbox.git(&["rev-parse", "HEAD~1"]), theirs);
    assert_eq!(
        sandbox.git(&["show", "HEAD:src/a.py"]) + "\n",
        WORKER.replace("return 3", "return 33")
    );
    assert_eq!(
        sandbox.git(&["log", "-1", "--format=%s"]),
        "Undo \"Replace first in src/a.py\""
    );
    assert_eq!(
        sandbox
            .git(&[
                "log",
                "-1",
                "--format=%(trailers:key=Segedit-Undoes,valueonly)"
            ])
            .trim(),
        batch.trim()
    );
    assert_eq!(
        sandbox.git(&["status", "--porcelain"]),
        " M notes.md\nMM other.txt\n?? untracked"
    );
    // Nothing was built on it yet, so it goes as it came.
    does(&sandbox, &["redo"]);
    assert_eq!(state(&sandbox), before);
    sound(&sandbox);
}

#[test]
fn what_a_remote_has_is_taken_back_by_a_commit_on_top() {
    let sandbox = sandbox();
    let push = || {
        // What `git push` notes of it.
        sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
        sandbox.git(&["rev-parse", "HEAD"])
    };
    let base = push();
    edit(
        &sandbox,
        "src/a.py::first",
        "def first():\n    return 11",
        &[],
    );
    // A remote that has only what was there before has no say.
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), base);
    does(&sandbox, &["redo"]);
    let pushed = push();
    does(&sandbox, &["undo"]);
    assert_eq!(sandbox.git(&["rev-parse", "HEAD~1"]), pushed);
    assert_eq!(sandbox.git(&["diff", &base, "HEAD"]), "");
    // As long as the undo itself is here only, it goes as it came.
    does(&sandbox, &["redo"]);
    assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), pushed);
    does(&sandbox, &["undo"]);
    let undone = push();
    does(&sandbox, &["redo"]);
    assert_eq!(sandbox.git(&["rev-parse", "HEAD~1"]), undone);
    assert_eq!(sandbox.git(&["diff", &pushed, "HEAD"]), "");
    sound(&sandbox);
}

#[test]
fn what_was_changed_since_is_a_conflict_that_names_the_segment() {
    let sandbox = sandbox();
    edit(
        &sandbox,
        "src/a.py::second",
        "def second():\n    return 22",
        &[],
    );
    sandbox.write(
        "src/a.py",
        sandbox
            .git(&["show", "HEAD:src/a.py"])
            .replace("return 22", "return 222")
            + "\n",
    );
    sandbox.git(&["commit", "-qam", "theirs"]);
    let report = refuses(&sandbox, &["undo"], 3, "merge-conflict");
    let error = &report["errors"][0];
    assert!(
        error["message"]
            .as_str()
            .expect("words")
            .contains("src/a.py::second"),
        "{error}"
    );
    assert_eq!(
        (&error["path"], &error["file_line"]),
        (&"src/a.py".into(), &9.into()),
        "{error}"
    );
    // A file that is gone, and one whose text has no segments.
    sandbox.git(&["rm", "-q", "src/a.py"]);
    sandbox.git(&["commit", "-qm", "gone"]);
    let report = refuses(&sandbox, &["undo"], 3, "merge-conflict");
    assert!(
        report["errors"][0]["message"]
            .as_str()
            .expect("words")
            .contains("src/a.py"),
        "{report}"
    );
}

#[test]
fn a_text_that_stands_in_another_function_by_then_is_not_put_forth_again() {
    let sandbox = Sandbox::with(&[(
        "m.py",
        "def price():\n    return 1\n\n\ndef tax():\n    return 2\n",
    )]);
    does(
        &sandbox,
        &[
            "replace",
            "m.py",
            "--text",
            "    return 1\n",
            "--content",
            "    return 10\n",
        ],
    );
    does(&sandbox, &["undo"]);
    sandbox.write(
        "m.py",
        "def price():\n    return 10\n\n\ndef tax():\n    return 1\n",
    );
    sandbox.git(&["commit", "-qam", "theirs"]);
    refuses(&sandbox, &["redo"], 4, "changed-since");
}

#[test]
fn a_name_that_was_defined_again_since_is_told() {
    let sandbox = sandbox();
    does(&sandbox, &["delete", "src/a.py::first"]);
    let text = sandbox.git(&["show", "HEAD:src/a.py"]) + "\n";
    sandbox.write("src/a.py", text + "\n\ndef first():\n    return 111\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    let undone = does(&sandbox, &["undo"]);
    let warning = &undone["warnings"][0];
    assert_eq!(warning["code"], "defined-twice", "{undone}");
    assert!(
        warning["message"]
            .as_str()
            .expect("words")
            .contains("`first`"),
        "{warning}"
    );
}

#[test]
fn two_halves_that_do_not_parse_together_are_refused() {
    let sandbox = Sandbox::with(&[("a.py", "q = 0\nk = 0\nm = 0\nn = 0\nr = 0\n")]);
    edit(
        &sandbox,
        "a.py",
        "q = \"\"\"\nk = 0\nm = 0\nn = 0\n\"\"\"\n",
        &["--allow-remove"],
    );
    // Fine in a text, and no program without the quotes.
    sandbox.write("a.py", "q = \"\"\"\nk = 0\nm = (\nn = 0\n\"\"\"\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    refuses(&sandbox, &["undo"], 1, "syntax-error");
}

#[test]
fn redo_after_others_moved_the_branch_resolves_the_file_again_by_name() {
    let sandbox = sandbox();
    let first = edit(
        &sandbox,
        "src/a.py::third",
        "def third():\n    return 33",
        &["-m", "three: double"],
    );
    does(&sandbox, &["undo"]);
    sandbox.write("src/a.py", format!("import os\n\n\n{WORKER}"));
    sandbox.git(&["commit", "-qam", "theirs"]);
    let before = state(&sandbox);
    assert_eq!(does(&sandbox, &["redo", "-n"])["status"], "verified");
    assert_eq!(state(&sandbox), before);
    let redone = does(&sandbox, &["redo"]);
    assert_eq!(
        (&redone["status"], &redone["act"]),
        (&"published".into(), &"redo".into())
    );
    assert_ne!(redone["batch"], first["batch"], "a batch of its own");
    assert_eq!(
        sandbox.git(&["show", "HEAD:src/a.py"]) + "\n",
        format!("import os\n\n\n{}", WORKER.replace("return 3", "return 33"))
    );
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "three: double");
    let log = does(&sandbox, &["log"]);
    assert_eq!(log["batches"][0]["redo_of"], first["batch"]);
    refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
    does(&sandbox, &["undo"]);
    assert_eq!(state(&sandbox), before);
    sound(&sandbox);
}

#[test]
fn redo_counts_only_in_the_very_file() {
    let files = [
        ("w.txt", "l1\nl2\nl3\n"),
        (
            "f.py",
            "def f():\n    return 1\n\n\ndef f():\n    return 2\n",
        ),
        ("c.yaml", "steps:\n  - uses: a\n  - uses: b\n"),
        ("p.html", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("other.txt", "mine\n"),
    ];
    let counting = [
        ("w.txt", "{op: delete, file: w.txt, lines: 2}"),
        (
            "w.txt",
            "{op: insert, file: w.txt, lines: 2, content: between}",
        ),
        (
            "w.txt",
            "{op: substitute, file: w.txt, pattern: 'l\\d', replacement: L, count: 2}",
        ),
        (
            "w.txt",
            "{op: substitute, files: ['*.txt'], pattern: 'l\\d', replacement: L, count: 1}",
        ),
        (
            "w.txt",
            "{op: replace, file: w.txt, pattern: 'l\\d', occurrence: 2, content: L}",
        ),
        (
            "f.py",
            "{op: replace, file: f.py, symbol: 'f[2]', part: body, content: return 22}",
        ),
        (
            "f.py",
            "{op: replace, file: f.py, text: return 2, within: {symbol: 'f[2]'}, content: return 22}",
        ),
        (
            "c.yaml",
            "{op: replace, file: c.yaml, key: 'steps[1].uses', content: c}",
        ),
        (
            "p.html",
            "{op: replace, file: p.html, element: 'li:nth-of-type(2)', part: inner, content: c}",
        ),
    ];
    for (path, operation) in counting {
        let sandbox = Sandbox::with(&files);
        let file = format!("version: 1\noperations:\n  - {operation}\n");
        exits(
            &sandbox.segedit_with_input(&["apply", "-"], file.as_bytes()),
            0,
        );
        does(&sandbox, &["undo"]);
        sandbox.write("unrelated", "theirs\n");
        sandbox.commit_all("another file");
        assert_eq!(
            does(&sandbox, &["redo"])["status"],
            "published",
            "{operation}"
        );
        does(&sandbox, &["undo"]);

        let (_, content) = files
            .iter()
            .find(|(other, _)| *other == path)
            .expect("a file");
        sandbox.write(path, format!("{content}\n"));
        sandbox.commit_all("theirs");
        let report = refuses(&sandbox, &["redo"], 4, "changed-since");
        assert!(
            report["errors"][0]["message"]
                .as_str()
                .is_some_and(|it| it.contains(path)),
            "{operation}: {report}"
        );
    }
}

#[test]
fn redo_takes_away_no_work_that_came_since() {
    for arguments in [
        &[
            "replace",
            "src/a.py::third",
            "--content",
            "def third():\n    return 33\n",
        ][..],
        &["delete", "src/a.py::third"],
        &[
            "replace",
            "src/a.py",
            "--content",
            "x = 1\n",
            "--allow-remove",
        ],
        &["apply", "../remove.yaml"],
    ] {
        let sandbox = sandbox();
        let remove = "version: 1\noperations: [{op: remove, file: src/a.py}]\n";
        std::fs::write(sandbox.aside().join("remove.yaml"), remove).expect("an operation file");
        exits(&sandbox.segedit(arguments), 0);
        does(&sandbox, &["undo"]);
        sandbox.write("src/a.py", WORKER.replace("return 3", "return 30"));
        sandbox.git(&["commit", "-qam", "theirs"]);
        let report = refuses(&sandbox, &["redo"], 4, "changed-since");
        let words = report["errors"][0]["message"].as_str().expect("words");
        assert!(
            words.contains("src/a.py") && words.contains("which is another now"),
            "{arguments:?}: {words}"
        );
    }
}

#[test]
fn after_a_new_batch_redo_refuses_with_a_reason() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let old = does(&sandbox, &["undo"])["batch"].clone();
    let new = edit(&sandbox, "src/a.py::second", "def second(): return 22", &[])["batch"].clone();
    let report = refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
    let words = report["errors"][0]["message"].as_str().expect("words");
    let short = |id: &Value| id.as_str().expect("an id")[..8].to_owned();
    assert!(
        words.contains(&short(&old)) && words.contains(&short(&new)),
        "{words}"
    );
    // By name it is meant so.
    assert_eq!(
        does(&sandbox, &["redo", &short(&old)])["status"],
        "published"
    );
    assert!(
        sandbox
            .git(&["show", "HEAD:src/a.py"])
            .contains("return 11")
    );
    assert!(
        sandbox
            .git(&["show", "HEAD:src/a.py"])
            .contains("return 22")
    );
}

#[test]
fn unborn_detached_bare_and_new_branches() {
    let unborn = Sandbox::unborn();
    let create = "version: 1\noperations:\n  - {op: create, file: a.txt, content: one}\n";
    exits(
        &unborn.segedit_with_input(&["apply", "-"], create.as_bytes()),
        0,
    );
    let after = state(&unborn);
    does(&unborn, &["undo"]);
    assert_ne!(
        unborn
            .try_git(&["rev-parse", "--verify", "-q", "HEAD"])
            .exit,
        0
    );
    assert_eq!(unborn.git(&["status", "--porcelain"]), "");
    assert!(unborn.worktree_tree().is_empty());
    does(&unborn, &["redo"]);
    assert_eq!(state(&unborn), after);
    sound(&unborn);

    let detached = sandbox();
    detached.git(&["checkout", "-q", "--detach"]);
    let before = state(&detached);
    edit(&detached, "src/a.py::first", "def first(): return 11", &[]);
    does(&detached, &["undo"]);
    assert_eq!(state(&detached), before);
    does(&detached, &["redo"]);
    detached.git(&["checkout", "-q", "main"]);
    let id = does(&detached, &["log"])["batches"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    refuses(&detached, &["undo"], 4, "nothing-to-undo");
    refuses(&detached, &["undo", &id], 4, "changed-since");

    let bare = sandbox().copy_bare();
    let before = state(&bare);
    edit(&bare, "src/a.py::first", "def first(): return 11", &[]);
    let after = state(&bare);
    does(&bare, &["undo"]);
    assert_eq!(state(&bare), before);
    does(&bare, &["redo"]);
    assert_eq!(state(&bare), after);
    sound(&bare);

    let branch = sandbox();
    let before = state(&branch);
    let report = edit(
        &branch,
        "src/a.py::first",
        "def first(): return 11",
        &["--branch", "bot/x"],
    );
    let after = state(&branch);
    let refused = refuses(&branch, &["undo"], 4, "nothing-to-undo");
    let id = report["batch"].as_str().expect("an id");
    assert!(
        refused["errors"][0]["notes"][0]
            .as_str()
            .expect("a note")
            .contains(&id[..8]),
        "{refused}"
    );
    does(&branch, &["undo", &id[..8]]);
    assert_eq!(
        state(&branch),
        before,
        "a branch that the batch made is gone"
    );
    refuses(&branch, &["undo", id], 4, "nothing-to-undo");
    does(&branch, &["redo", id]);
    assert_eq!(state(&branch), after);
    branch.git(&["checkout", "-q", "bot/x"]);
    does(&branch, &["undo"]);
    assert_eq!(
        branch.git(&["rev-parse", "bot/x"]),
        branch.git(&["rev-parse", "main"]),
        "checked out, it stays"
    );
    sound(&branch);
}

#[test]
fn a_linked_worktree_has_its_own_last_batch() {
    let sandbox = sandbox();
    let linked = sandbox.aside().join("linked");
    let there = linked.to_str().expect("a plain name");
    sandbox.git(&["worktree", "add", "-q", "-b", "side", there]);
    let inside = |args: &[&str]| sandbox.segedit(&[&["-C", there], args].concat());
    let edit_of = |value: u8| format!("LIMIT = {value}");
    edit(&sandbox, "src/a.py::LIMIT", &edit_of(2), &[]);
    exits(
        &inside(&["replace", "src/a.py::LIMIT", "--content", &edit_of(3)]),
        0,
    );
    exits(
        &inside(&[
            "replace",
            "src/a.py::first",
            "--content",
            "def first(): return 11",
            "--destination",
            "index",
        ]),
        0,
    );
    edit(
        &sandbox,
        "src/a.py::second",
        "def second(): return 22",
        &["--destination", "worktree"],
    );
    let file = |folder: &Path| std::fs::read_to_string(folder.join("src/a.py")).expect("the file");
    exits(&inside(&["undo"]), 0);
    assert_eq!(file(&linked), WORKER.replace("LIMIT = 1", "LIMIT = 3"));
    exits(&inside(&["undo"]), 0);
    assert_eq!(file(&linked), WORKER);
    assert_eq!(sandbox.git(&["-C", there, "status", "--porcelain"]), "");
    exits(&inside(&["undo"]), 4);
    exits(&inside(&["redo"]), 0);
    exits(&inside(&["redo"]), 0);
    assert!(file(&linked).contains("LIMIT = 3") && file(&linked).contains("return 11"));
    let index_batch = does(&sandbox, &["log"])["batches"][1]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    refuses(&sandbox, &["undo", &index_batch], 4, "nothing-to-undo");
    // The branch of the other worktree, undone from here: that worktree follows.
    does(&sandbox, &["undo"]);
    exits(&inside(&["undo"]), 0);
    let commit_batch = does(&sandbox, &["log"])["batches"][2]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    does(&sandbox, &["undo", &commit_batch]);
    assert_eq!(file(&linked), WORKER);
    assert_eq!(
        file(&sandbox.repo()),
        WORKER.replace("LIMIT = 1", "LIMIT = 2")
    );
    sound(&sandbox);
}

#[test]
fn redo_that_finds_everything_in_place_says_that_the_batch_stands() {
    let sandbox = sandbox();
    let batch = edit(
        &sandbox,
        "src/a.py::first",
        "def first():\n    return 11",
        &[],
    )["batch"]
        .clone();
    sandbox.write("other.txt", "theirs\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    does(&sandbox, &["undo"]);
    sandbox.git(&["revert", "--no-edit", "HEAD"]);
    let before = state(&sandbox);
    let standing = |sandbox: &Sandbox| does(sandbox, &["log"])["batches"][0]["undone"].is_null();
    assert_eq!(does(&sandbox, &["redo", "-n"])["status"], "unchanged");
    assert!(!standing(&sandbox), "a rehearsal");
    let redone = does(&sandbox, &["redo"]);
    assert_eq!(
        (&redone["status"], &redone["batch"], &redone["act"]),
        (&"unchanged".into(), &batch, &"redo".into())
    );
    assert_eq!(state(&sandbox), before);
    assert!(standing(&sandbox));
    assert_eq!(does(&sandbox, &["undo"])["batch"], batch);
    assert!(
        !sandbox
            .git(&["show", "HEAD:src/a.py"])
            .contains("return 11")
    );
    // What was skipped is not in place.
    let operations = "version: 1\nmode: interactive\noperations:\n  - {op: replace, file: notes.md, text: text, content: word}\n";
    exits(
        &sandbox.segedit_with_input(&["apply", "-"], operations.as_bytes()),
        0,
    );
    does(&sandbox, &["undo"]);
    sandbox.write("notes.md", "# Notes\n\nother\n");
    sandbox.git(&["commit", "-qam", "other"]);
    assert_eq!(does(&sandbox, &["redo"])["status"], "unchanged");
    assert!(!standing(&sandbox));
    sound(&sandbox);
}
