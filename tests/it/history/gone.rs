//! Batches that are no longer where they were published: the branch, the commit or what it stands on is gone.

use crate::support::Sandbox;
use crate::support::history::{does, edit, refuses, sandbox, sound, state};

/// Has git collect all that no ref names.
fn collect(sandbox: &Sandbox) {
    sandbox.git(&[
        "reflog",
        "expire",
        "--expire=all",
        "--expire-unreachable=all",
        "--all",
    ]);
    sandbox.git(&["gc", "-q", "--prune=now"]);
}

fn id(report: &serde_json::Value) -> String {
    report["batch"].as_str().expect("an id").to_owned()
}

#[test]
fn what_stands_on_a_commit_that_is_gone_does_not_come_back() {
    for destination in ["commit", "stash"] {
        let sandbox = sandbox();
        sandbox.git(&["checkout", "-q", "-b", "feat"]);
        for text in ["of feat\n", "of feat, too\n"] {
            sandbox.write("other.txt", text);
            sandbox.git(&["commit", "-qam", "feat"]);
        }
        sandbox.git(&["checkout", "-q", "main"]);
        let to: &[&str] = if destination == "commit" {
            &["--branch", "bot"]
        } else {
            &["--destination", "stash"]
        };
        let to = [to, &["--base", "feat"]].concat();
        let batch = id(&edit(
            &sandbox,
            "src/a.py::first",
            "def first(): return 11",
            &to,
        ));
        does(&sandbox, &["undo", &batch]);
        let feat = sandbox.git(&["rev-parse", "feat"]);
        sandbox.git(&["branch", "-qD", "feat"]);
        // As long as git has them, what it stands on comes back as well.
        let again = sandbox.copy();
        does(&again, &["redo", &batch]);
        sound(&again);
        collect(&again);
        sound(&again);
        collect(&sandbox);
        // A commit alone is not what it takes: what is behind it has to be there as well.
        for bare in [false, true] {
            if bare {
                let commit = again.git(&["cat-file", "commit", &feat]) + "\n";
                sandbox.git_with_input(
                    &[
                        "hash-object",
                        "-t",
                        "commit",
                        "-w",
                        "--stdin",
                        "--literally",
                    ],
                    commit.as_bytes(),
                );
            }
            let report = refuses(&sandbox, &["redo", &batch], 4, "changed-since");
            let error = &report["errors"][0];
            assert!(
                error["message"]
                    .as_str()
                    .expect("words")
                    .contains(&feat[..8]),
                "{error}"
            );
            assert!(
                error["notes"]
                    .to_string()
                    .contains("git segedit show-batch"),
                "{error}"
            );
            refuses(&sandbox, &["redo", "-n", &batch], 4, "changed-since");
        }
        assert!(!state(&sandbox).contains("bot"));
    }
}

/// What became of the last batch, `name`d, so that nothing of it is left.
struct Loss {
    name: &'static str,
    to: &'static [&'static str],
    happens: fn(&Sandbox),
    words: &'static str,
}

const LOSSES: [Loss; 7] = [
    Loss {
        name: "reset away",
        to: &[],
        happens: |sandbox| drop(sandbox.git(&["reset", "-q", "--hard", "HEAD~1"])),
        words: "git log --grep=",
    },
    Loss {
        name: "popped and committed",
        to: &["--destination", "stash"],
        happens: |sandbox| {
            sandbox.git(&["stash", "pop", "-q"]);
            sandbox.git(&["commit", "-qam", "mine now"]);
        },
        words: "no longer listed",
    },
    Loss {
        name: "index, reset",
        to: &["--destination", "index"],
        happens: |sandbox| drop(sandbox.git(&["reset", "-q", "--hard"])),
        words: "nothing of batch",
    },
    Loss {
        name: "index, unstaged",
        to: &["--destination", "cached"],
        happens: |sandbox| drop(sandbox.git(&["reset", "-q"])),
        words: "nothing of batch",
    },
    Loss {
        name: "files, restored",
        to: &["--destination", "worktree"],
        happens: |sandbox| drop(sandbox.git(&["restore", "."])),
        words: "nothing of batch",
    },
    Loss {
        name: "branch gone",
        to: &["--branch", "bot"],
        happens: |sandbox| drop(sandbox.git(&["branch", "-qD", "bot"])),
        words: "git branch bot",
    },
    Loss {
        name: "worktree gone",
        to: &["--destination", "worktree"],
        happens: |_| {},
        words: "linked`, which is gone",
    },
];

#[test]
fn what_is_gone_stands_in_nobodys_way() {
    for Loss {
        name,
        to,
        happens,
        words,
    } in LOSSES
    {
        let sandbox = sandbox();
        let first = id(&edit(
            &sandbox,
            "src/a.py::first",
            "def first(): return 11",
            &[],
        ));
        let lost = if name == "worktree gone" {
            let linked = sandbox.aside().join("linked");
            let there = linked.to_str().expect("a plain name");
            sandbox.git(&["worktree", "add", "-q", "-b", "side", there]);
            let lost = id(&edit(
                &sandbox,
                "src/a.py::second",
                "def second(): return 22",
                &[to, &["-C", there]].concat(),
            ));
            sandbox.git(&["worktree", "remove", "--force", there]);
            lost
        } else {
            id(&edit(
                &sandbox,
                "src/a.py::second",
                "def second(): return 22",
                to,
            ))
        };
        happens(&sandbox);
        let code = if name == "worktree gone" {
            "nothing-to-undo"
        } else {
            "changed-since"
        };
        let refused = refuses(&sandbox, &["undo", &lost], 4, code)["errors"][0].to_string();
        assert!(refused.contains(words), "{name}: {refused}");
        let is_here = !["branch gone", "worktree gone"].contains(&name);
        let undone = does(&sandbox, &["undo"]);
        assert_eq!(undone["batch"], first, "{name}");
        let warnings = undone["warnings"].to_string();
        assert_eq!(
            warnings.contains("passed over") && warnings.contains(&lost[..8]),
            is_here,
            "{name}: {warnings}"
        );
        let left = refuses(&sandbox, &["undo"], 4, "nothing-to-undo")["errors"][0].to_string();
        assert_eq!(
            left.contains("passed over") && left.contains(&lost[..8]),
            is_here,
            "{name}: {left}"
        );
        assert!(!left.contains("stands"), "{name}: {left}");
        // Neither does it keep back what was taken back before it.
        assert_eq!(does(&sandbox, &["redo"])["batch"], first, "{name}");
        sound(&sandbox);
    }
}

/// What is done to the commit of the last batch, so that what it changed is in another one.
type Rewrite = (&'static str, fn(&Sandbox));

const REWRITES: [Rewrite; 4] = [
    ("amended", |sandbox| {
        sandbox.git(&["commit", "-q", "--amend", "-m", "mine now"]);
    }),
    ("amended with more", |sandbox| {
        sandbox.write("other.txt", "more\n");
        sandbox.git(&["commit", "-qa", "--amend", "--no-edit"]);
    }),
    ("rebased", |sandbox| {
        sandbox.git(&["checkout", "-q", "-b", "up", "HEAD~2"]);
        sandbox.write("up.txt", "up\n");
        sandbox.git(&["add", "up.txt"]);
        sandbox.git(&["commit", "-qm", "up"]);
        sandbox.git(&["checkout", "-q", "main"]);
        sandbox.git(&["rebase", "-q", "up"]);
    }),
    ("changed since", |sandbox| {
        let file = std::fs::read_to_string(sandbox.repo().join("src/a.py"))
            .expect("the file")
            .replace("return 22", "return 222");
        sandbox.write("src/a.py", &file);
        sandbox.git(&["commit", "-qa", "--amend", "--no-edit"]);
    }),
];

#[test]
fn what_was_made_anew_is_not_passed_over() {
    for (name, happens) in REWRITES {
        let sandbox = sandbox();
        let first = id(&edit(
            &sandbox,
            "src/a.py::first",
            "def first(): return 11",
            &[],
        ));
        let last = id(&edit(
            &sandbox,
            "src/a.py::second",
            "def second(): return 22",
            &[],
        ));
        happens(&sandbox);
        let before = state(&sandbox);
        let refused = refuses(&sandbox, &["undo"], 4, "changed-since")["errors"][0].to_string();
        assert!(refused.contains(&last[..8]), "{name}: {refused}");
        assert!(refused.contains("git log -- src/a.py"), "{name}: {refused}");
        assert_eq!(state(&sandbox), before, "{name}");
        // A rebase made the one before it anew, too.
        if name != "rebased" {
            let next = format!("git segedit undo {}", &first[..8]);
            assert!(refused.contains(&next), "{name}: {refused}");
            assert_eq!(does(&sandbox, &["undo", &first])["batch"], first, "{name}");
        }
        sound(&sandbox);
    }
}

#[test]
fn what_was_reset_to_be_committed_anew_is_not_passed_over() {
    for (how, place) in [("--soft", "index"), ("--mixed", "worktree")] {
        let sandbox = sandbox();
        edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
        let last = id(&edit(
            &sandbox,
            "src/a.py::second",
            "def second(): return 22",
            &[],
        ));
        sandbox.git(&["reset", "-q", how, "HEAD~1"]);
        let before = state(&sandbox);
        let refused = refuses(&sandbox, &["undo"], 4, "changed-since")["errors"][0].to_string();
        assert!(refused.contains(&last[..8]), "{how}: {refused}");
        assert!(
            refused.contains(&format!("still in the {place}")),
            "{how}: {refused}"
        );
        assert_eq!(state(&sandbox), before, "{how}");
        sound(&sandbox);
    }
}

#[test]
fn what_is_gone_does_not_keep_redo_back() {
    let sandbox = sandbox();
    let first = id(&edit(
        &sandbox,
        "src/a.py::first",
        "def first(): return 11",
        &[],
    ));
    does(&sandbox, &["undo"]);
    edit(&sandbox, "src/a.py::second", "def second(): return 22", &[]);
    refuses(&sandbox, &["redo"], 4, "nothing-to-redo");
    sandbox.git(&["reset", "-q", "--hard", "HEAD~1"]);
    assert_eq!(does(&sandbox, &["redo"])["batch"], first);
}

#[test]
fn what_was_changed_since_is_not_gone_but_in_the_way() {
    for destination in ["index", "worktree"] {
        let sandbox = sandbox();
        edit(&sandbox, "src/a.py::first", "def first(): return 11", &[]);
        let file = "version: 1\noperations:\n  - {op: replace, file: notes.md, allow_remove: true, content: new}\n  \
                    - {op: replace, file: other.txt, allow_remove: true, content: new}\n";
        let run = sandbox.segedit_with_input(
            &["apply", "-", "--destination", destination],
            file.as_bytes(),
        );
        assert_eq!(run.exit, 0, "{run}");
        sandbox.write("other.txt", "mine\n");
        let refused = refuses(&sandbox, &["undo"], 4, "changed-since");
        assert!(
            refused["errors"][0]["notes"]
                .to_string()
                .contains("git segedit undo <id>"),
            "{refused}"
        );
        // One file as before and one as after is a half, and not gone.
        sandbox.git(&["checkout", "-q", "HEAD", "other.txt"]);
        refuses(&sandbox, &["undo"], 4, "changed-since");
        sandbox.git(&["checkout", "-q", "HEAD", "notes.md"]);
        assert_eq!(
            does(&sandbox, &["undo"])["warnings"]
                .as_array()
                .map(Vec::len),
            Some(1)
        );
        assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1");
    }
}

#[test]
fn a_commit_that_another_branch_took_over_is_taken_back_there_by_its_name() {
    let sandbox = sandbox();
    let batch = id(&edit(
        &sandbox,
        "src/a.py::first",
        "def first(): return 11",
        &["--branch", "bot"],
    ));
    sandbox.write("other.txt", "theirs\n");
    sandbox.git(&["commit", "-qam", "theirs"]);
    sandbox.git(&["merge", "-q", "--no-edit", "bot"]);
    sandbox.git(&["branch", "-qD", "bot"]);
    let before = state(&sandbox);
    let refused = refuses(&sandbox, &["undo"], 4, "nothing-to-undo");
    assert!(
        refused["errors"][0]["notes"]
            .to_string()
            .contains("stands on main"),
        "{refused}"
    );
    let undone = does(&sandbox, &["undo", &batch]);
    assert_eq!(undone["commit"], sandbox.git(&["rev-parse", "main"]));
    assert_eq!(sandbox.git(&["diff", "--name-only", "HEAD~1"]), "src/a.py");
    assert!(
        sandbox
            .git(&["show", "HEAD:src/a.py"])
            .contains("return 1\n"),
        "taken back"
    );
    assert_eq!(
        sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]),
        "refs/heads/main"
    );
    // And it comes back where it was taken back, without being named, as long as nothing was built on that.
    let copy = sandbox.copy();
    assert_eq!(does(&copy, &["redo"])["batch"], batch);
    assert_eq!(state(&copy), before);
    sandbox.write("other.txt", "more\n");
    sandbox.git(&["commit", "-qam", "more"]);
    does(&sandbox, &["redo"]);
    assert!(
        sandbox
            .git(&["show", "main:src/a.py"])
            .contains("return 11")
    );
    assert_eq!(
        sandbox.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]),
        "refs/heads/main"
    );
    sound(&sandbox);
}

#[test]
fn a_detached_head_that_left_the_commit_is_told() {
    let sandbox = sandbox();
    sandbox.git(&["checkout", "-q", "--detach"]);
    let first = id(&edit(
        &sandbox,
        "src/a.py::first",
        "def first(): return 11",
        &[],
    ));
    sandbox.git(&["checkout", "-q", "--detach", "main"]);
    let refused = refuses(&sandbox, &["undo"], 4, "nothing-to-undo");
    assert!(
        refused["errors"][0]["notes"]
            .to_string()
            .contains("passed over"),
        "{refused}"
    );
    sandbox.git(&["checkout", "-q", "main"]);
    let refused = refuses(&sandbox, &["undo", &first], 4, "changed-since");
    assert!(
        refused["errors"][0]["notes"]
            .to_string()
            .contains("git checkout --detach"),
        "{refused}"
    );
    // Fast-forwarded over it, main holds it.
    let commit = does(&sandbox, &["log"])["batches"][0]["commit"]
        .as_str()
        .expect("a commit")
        .to_owned();
    sandbox.git(&["merge", "-q", "--ff-only", &commit]);
    does(&sandbox, &["undo", &first]);
    assert_eq!(
        sandbox.git(&["rev-list", "--count", "HEAD"]),
        "3",
        "main is not moved back over a commit it took"
    );
    assert_eq!(sandbox.git(&["diff", "--name-only", "HEAD~2"]), "");
}
