//! A repository with a history of batches: what is done in it, and what it then has to be.

use serde_json::Value;

use super::{Run, Sandbox};

pub(crate) const WORKER: &str = "LIMIT = 1\n\n\ndef first():\n    return 1\n\n\ndef second():\n    return 2\n\n\ndef third():\n    return 3\n";

pub(crate) fn sandbox() -> Sandbox {
    Sandbox::with(&[
        ("src/a.py", WORKER),
        ("other.txt", "old\n"),
        ("notes.md", "# Notes\n\ntext\n"),
    ])
}

/// A worktree with work of its own: staged, unstaged, both, untracked.
pub(crate) fn bystanders(sandbox: &Sandbox) {
    sandbox.write("other.txt", "staged\n");
    sandbox.git(&["add", "other.txt"]);
    sandbox.write("other.txt", "unstaged\n");
    sandbox.write("notes.md", "# Notes\n\nunstaged\n");
    sandbox.write("untracked", "mine\n");
}

#[track_caller]
pub(crate) fn exits(run: &Run, expected: i32) {
    assert_eq!(run.exit, expected, "{run}");
}

#[track_caller]
pub(crate) fn edit(sandbox: &Sandbox, address: &str, content: &str, more: &[&str]) -> Value {
    let run = sandbox.segedit(
        &[
            &["replace", address, "--content", content, "--format", "json"],
            more,
        ]
        .concat(),
    );
    exits(&run, 0);
    run.json()
}

#[track_caller]
pub(crate) fn does(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.segedit(&[args, &["--format", "json"]].concat());
    exits(&run, 0);
    run.json()
}

#[track_caller]
pub(crate) fn refuses(sandbox: &Sandbox, args: &[&str], exit: i32, code: &str) -> Value {
    let before = state(sandbox);
    let run = sandbox.segedit(&[args, &["--format", "json"]].concat());
    exits(&run, exit);
    assert_eq!(run.json()["errors"][0]["code"], code, "{run}");
    assert_eq!(state(sandbox), before, "a refusal changed something\n{run}");
    run.json()
}

/// Everything but the history's own refs, the reflogs and the index's stat data.
pub(crate) fn state(sandbox: &Sandbox) -> String {
    let bare = sandbox.git(&["rev-parse", "--is-bare-repository"]) == "true";
    let refs = sandbox.git(&[
        "for-each-ref",
        "--format=%(refname) %(objectname)",
        "refs/heads",
        "refs/stash",
        "refs/tags",
    ]);
    let head = std::fs::read_to_string(sandbox.git_folder().join("HEAD")).expect("HEAD");
    if bare {
        return format!("{refs}\n{head}");
    }
    let index = sandbox.git(&["ls-files", "-s"]);
    let stash = sandbox.git(&["stash", "list", "--format=%H"]);
    let files: Vec<String> = sandbox
        .worktree_tree()
        .into_iter()
        .map(|(path, entry)| {
            format!(
                "{} {path} {}",
                entry.mode,
                String::from_utf8_lossy(&entry.bytes)
            )
        })
        .collect();
    format!("{refs}\n{head}\n{index}\n{stash}\n{}", files.join("\n"))
}

#[track_caller]
pub(crate) fn sound(sandbox: &Sandbox) {
    let said = sandbox.git(&["fsck", "--strict", "--no-dangling"]);
    assert_eq!(said, "");
    let folder = sandbox.git_folder();
    let intents = std::fs::read_dir(folder.join("segedit/intents"))
        .into_iter()
        .flatten()
        .count();
    assert_eq!(intents, 0, "an intent is left over");
    for lock in [
        "index.lock",
        "HEAD.lock",
        "refs/heads/main.lock",
        "refs/stash.lock",
        "segedit/journal",
    ] {
        assert!(!folder.join(lock).exists(), "{lock} is left over");
    }
}
