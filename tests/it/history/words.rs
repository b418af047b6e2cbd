//! What refusals of undo, redo and log say: what is in the way, in words that are true of them, and what to do next.

use crate::support::Sandbox;
use crate::support::history::{does, edit, exits, refuses, sandbox, sound, state};

/// Returns the first refusal of a command.
fn refusal(sandbox: &Sandbox, args: &[&str], exit: i32, code: &str) -> String {
    refuses(sandbox, args, exit, code)["errors"][0].to_string()
}

#[test]
fn nobody_is_advised_to_use_an_option_that_there_is_not() {
    type Spoil = fn(&Sandbox);
    let dirty: Spoil = |sandbox| sandbox.write("src/a.py", "mine\n");
    let staged: Spoil = |sandbox| {
        sandbox.write("src/a.py", "mine\n");
        sandbox.git(&["add", "src/a.py"]);
    };
    let bisect: Spoil = |sandbox| drop(sandbox.git(&["bisect", "start"]));
    for spoil in [dirty, staged, bisect] {
        let sandbox = sandbox();
        edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
        for command in ["undo", "redo"] {
            let start = sandbox.copy();
            if command == "redo" {
                does(&start, &["undo"]);
            }
            spoil(&start);
            for more in [&[command][..], &[command, "-n"]] {
                let said = refusal(&start, more, 4, "worktree-dirty");
                assert!(
                    !said.contains("--branch") && said.contains(" first\""),
                    "{said}"
                );
            }
        }
    }
}

#[test]
fn an_undoing_is_not_called_a_publication() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let mut undo = sandbox.segedit_command();
    let run = sandbox.run(
        undo.args(["undo", "-q"]).env("FAILPOINTS", "entry=return"),
        b"",
    );
    exits(&run, 0);
    assert!(
        run.err()
            .contains("is taken back, but the history does not say so yet"),
        "{run}"
    );
    let mut redo = sandbox.segedit_command();
    let run = sandbox.run(
        redo.args(["redo", "-q"])
            .env("FAILPOINTS", "ref-lock=1*off->1*return"),
        b"",
    );
    exits(&run, 0);
    assert!(
        run.err()
            .contains("is put forth again, but the history does not say so yet"),
        "{run}"
    );
    does(&sandbox, &["undo"]);
    sound(&sandbox);
}

#[test]
fn a_conflict_shows_no_line_that_is_in_no_file_and_says_what_to_do() {
    let sandbox = sandbox();
    edit(
        &sandbox,
        "src/a.py::second",
        "def second():\n    return 22",
        &[],
    );
    sandbox.git(&["rm", "-q", "src/a.py"]);
    sandbox.git(&["commit", "-qm", "gone"]);
    let run = sandbox.segedit(&["undo"]);
    exits(&run, 3);
    assert!(
        run.err().contains("src/a.py, which is gone") && !run.err().contains("1 |"),
        "{run}"
    );
    for more in [&["undo"][..], &["undo", "-n"]] {
        let said = refusal(&sandbox, more, 3, "merge-conflict");
        assert!(said.contains("git segedit show-batch"), "{said}");
    }
}

#[test]
fn a_folder_where_a_file_was_is_a_conflict_too() {
    let sandbox = sandbox();
    let remove = "version: 1\noperations:\n  - {op: remove, file: other.txt}\n";
    exits(
        &sandbox.segedit_with_input(&["apply", "-"], remove.as_bytes()),
        0,
    );
    sandbox.write("other.txt/deep", "mine\n");
    sandbox.git(&["add", "other.txt"]);
    sandbox.git(&["commit", "-qm", "a folder"]);
    let id = does(&sandbox, &["log"])["batches"][0]["id"]
        .as_str()
        .expect("an id")[..8]
        .to_owned();
    for more in [&["undo"][..], &["undo", "-n"]] {
        let said = refusal(&sandbox, more, 3, "merge-conflict");
        assert!(
            said.contains("other.txt")
                && said.contains(&id)
                && said.contains("git segedit show-batch"),
            "{said}"
        );
    }
    // The same of an index, where it is what changed since.
    sandbox.git(&["reset", "-q", "--hard", "HEAD~2"]);
    exits(
        &sandbox.segedit_with_input(&["apply", "-", "--destination", "index"], remove.as_bytes()),
        0,
    );
    sandbox.write("other.txt/deep", "mine\n");
    sandbox.git(&["add", "other.txt"]);
    let said = refusal(&sandbox, &["undo"], 4, "changed-since");
    assert!(
        said.contains("notes") && !said.contains("--branch"),
        "{said}"
    );
}

#[test]
fn a_detached_head_is_not_called_a_branch() {
    let sandbox = sandbox();
    sandbox.git(&["checkout", "-q", "--detach"]);
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    does(&sandbox, &["undo"]);
    sandbox.write("other.txt", "theirs\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    let warnings = does(&sandbox, &["redo"])["warnings"].to_string();
    assert!(
        warnings.contains("HEAD moved on") && !warnings.contains("branch"),
        "{warnings}"
    );
}

#[test]
fn what_is_asked_of_the_log_is_answered_or_refused_by_name() {
    let sandbox = sandbox();
    edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
    let before = state(&sandbox);
    for command in [
        &["log"][..],
        &["show-batch"],
        &["recover"],
        &["history", "prune", "--keep", "0"],
    ] {
        for format in ["sarif", "github"] {
            let run = sandbox.segedit(&[command, &["--format", format]].concat());
            exits(&run, 2);
            let said = run.out() + &run.err();
            assert!(
                said.contains(format) && said.contains("human") && said.contains("json"),
                "{run}"
            );
        }
    }
    let upper = does(&sandbox, &["log"])["batches"][0]["id"]
        .as_str()
        .expect("an id")
        .to_uppercase();
    does(&sandbox, &["show-batch", &upper[..9]]);
    does(&sandbox, &["undo", &upper]);
    does(&sandbox, &["redo", &upper[..6]]);
    for (option, value) in [
        ("--keep", "-1"),
        ("--keep", "1.5"),
        ("--older-than", "-1d"),
        ("--older-than", "soon"),
    ] {
        let run = sandbox.segedit(&["history", "prune", option, value]);
        exits(&run, 2);
        assert!(
            run.err()
                .contains(&format!("invalid value '{value}' for '{option}")),
            "{run}"
        );
    }
    let run = sandbox.segedit(&["log", "-n", "-1"]);
    assert!(
        run.exit == 2 && run.err().contains("invalid value '-1'"),
        "{run}"
    );
    assert_eq!(state(&sandbox), before);
}
