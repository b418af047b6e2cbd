//! A batch on other people's state: published, or refused with nothing changed.

use std::path::Path;

use serde_json::json;

use super::{Run, Sandbox};

pub(crate) const EVERYWHERE: [&str; 5] = ["commit", "index", "cached", "worktree", "stash"];

/// Replaces the text `old` by `new` in `path`.
pub(crate) fn edit(
    sandbox: &Sandbox,
    destination: &str,
    path: &str,
    old: &str,
    new: &str,
    more: &[&str],
) -> Run {
    let operation = json!({"op": "replace", "file": path, "text": old, "content": new});
    apply(sandbox, destination, &[operation], more)
}

/// Applies `operations`.
pub(crate) fn apply(
    sandbox: &Sandbox,
    destination: &str,
    operations: &[serde_json::Value],
    more: &[&str],
) -> Run {
    let file = json!({"version": 1, "operations": operations}).to_string();
    let args = [
        "apply",
        "--format",
        "json",
        "--no-diff",
        "--destination",
        destination,
    ];
    sandbox.segedit_with_input(&[&args, more, &["-"]].concat(), file.as_bytes())
}

/// Checks that `act` is refused with `code` and `exit`, and that nothing changed.
#[track_caller]
pub(crate) fn refused(
    sandbox: &Sandbox,
    code: &str,
    exit: i32,
    act: impl FnOnce() -> Run,
) -> String {
    let before = sandbox.digest();
    let run = act();
    let after = sandbox.digest();
    let named: Vec<String> = run.json()["errors"]
        .as_array()
        .expect("a list of errors")
        .iter()
        .map(|error| error["code"].as_str().expect("a code").to_owned())
        .collect();
    assert!(
        run.exit == exit && named.iter().any(|name| name == code),
        "not {code} and {exit}\n{run}\n{sandbox}"
    );
    let changed: Vec<&String> = after
        .keys()
        .chain(before.keys())
        .filter(|name| before.get(*name) != after.get(*name))
        .collect();
    assert!(changed.is_empty(), "{changed:?} changed\n{run}\n{sandbox}");
    run.json()["errors"].to_string()
}

/// Checks that a batch was published, and that git finds nothing wrong and no lock.
#[track_caller]
pub(crate) fn published(sandbox: &Sandbox, run: Run) -> Run {
    assert!(
        run.exit == 0 && run.json()["status"] == "published",
        "not published\n{run}\n{sandbox}"
    );
    sound(sandbox);
    run
}

/// Checks that git finds nothing wrong and that nobody left a lock.
#[track_caller]
pub(crate) fn sound(sandbox: &Sandbox) {
    sandbox.git(&["fsck", "--no-dangling", "--strict"]);
    let left: Vec<String> = sandbox
        .digest()
        .into_keys()
        .filter(|name| name.ends_with(".lock") || name.contains("segedit-"))
        .collect();
    assert!(left.is_empty(), "left over: {left:?}");
    assert!(
        !sandbox.git_folder().join("segedit/journal").exists(),
        "a journal is left over"
    );
}

/// Runs git in another folder of the sandbox.
#[track_caller]
pub(crate) fn git_at(sandbox: &Sandbox, folder: &Path, args: &[&str]) -> String {
    let folder = folder.to_str().expect("test folders have plain names");
    sandbox.git(&[&["-C", folder], args].concat())
}

/// Returns `git status` with the columns of its first line intact.
#[track_caller]
pub(crate) fn status(sandbox: &Sandbox) -> String {
    String::from_utf8(sandbox.git_with_input(&["status", "--porcelain"], b"")).expect("plain names")
}
