//! Objects that are elsewhere or not what they seem: shallow and partial clones, alternates, replacements.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::Sandbox;
use crate::support::state::{EVERYWHERE, apply, edit, published, refused, sound, status};

/// Puts a clone of `origin` in the place of a new sandbox's repository.
fn clone(origin: &Sandbox, options: &[&str]) -> Sandbox {
    let sandbox = Sandbox::unborn();
    std::fs::remove_dir_all(sandbox.repo().join(".git")).unwrap();
    let url = format!("file://{}", origin.repo().display());
    sandbox.git(&[&["clone", "-q", "--template="], options, &[&url, "."]].concat());
    sandbox
}

fn origin() -> Sandbox {
    let files: Vec<(String, String)> = (0..20)
        .map(|n| (format!("d{}/f{n}.txt", n % 4), format!("one {n}\n")))
        .collect();
    let borrowed: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let sandbox = Sandbox::with(&borrowed);
    sandbox.write("a.txt", "one\n");
    sandbox.commit_all("second");
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    sandbox.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    sandbox
}

#[test]
fn a_shallow_clone_takes_every_destination() {
    for destination in EVERYWHERE {
        let sandbox = clone(&origin(), &["--depth=1"]);
        let shallow = std::fs::read(sandbox.repo().join(".git/shallow")).unwrap();
        published(
            &sandbox,
            edit(&sandbox, destination, "a.txt", "one", "two", &[]),
        );
        assert_eq!(
            std::fs::read(sandbox.repo().join(".git/shallow")).unwrap(),
            shallow
        );
    }
    let sandbox = clone(&origin(), &["--depth=1"]);
    let why = refused(&sandbox, "file-not-found", 3, || {
        edit(
            &sandbox,
            "commit",
            "a.txt",
            "one",
            "two",
            &["--base", "HEAD~1", "--branch", "new"],
        )
    });
    assert!(why.contains("shallow"), "{why}");
}

/// Has every fetch of the clone leave a line in the file that is returned.
fn counted(sandbox: &Sandbox) -> PathBuf {
    let program = sandbox.aside().join("upload-pack");
    std::fs::write(
        &program,
        "#!/bin/sh\necho fetch >> \"$0.log\"\nexec git upload-pack \"$@\"\n",
    )
    .unwrap();
    std::fs::set_permissions(
        &program,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    sandbox.git(&[
        "config",
        "remote.origin.uploadpack",
        program.to_str().unwrap(),
    ]);
    sandbox.aside().join("upload-pack.log")
}

fn fetches(log: &Path) -> usize {
    std::fs::read_to_string(log)
        .unwrap_or_default()
        .lines()
        .count()
}

fn edit_of(path: &str) -> Value {
    json!({"op": "replace", "file": path, "pattern": "one", "content": "two"})
}

#[test]
fn a_partial_clone_fetches_once_what_a_batch_needs() {
    let some: Vec<Value> = (0..7)
        .map(|n| edit_of(&format!("d{}/f{n}.txt", n % 4)))
        .collect();
    let matched = vec![
        json!({"op": "substitute", "files": ["d1", "d2"], "pattern": "one", "replacement": "two"}),
    ];
    for (operations, changed) in [(some, 7), (matched, 10)] {
        for destination in ["commit", "stash"] {
            let origin = origin();
            let sandbox = clone(&origin, &["--filter=blob:none", "--no-checkout", "--bare"]);
            if destination == "stash" {
                // With a worktree, and nothing checked out in it.
                sandbox.git(&["config", "core.bare", "false"]);
                let bare = sandbox.aside().join("bare");
                std::fs::rename(sandbox.repo(), &bare).unwrap();
                std::fs::create_dir(sandbox.repo()).unwrap();
                std::fs::rename(bare, sandbox.repo().join(".git")).unwrap();
            }
            let log = counted(&sandbox);
            let more: &[&str] = &["--branch", "side"];
            let run = apply(
                &sandbox,
                destination,
                &operations,
                if destination == "commit" { more } else { &[] },
            );
            assert_eq!(fetches(&log), 1, "{run}");
            assert_eq!(
                run.json()["files"].as_array().unwrap().len(),
                changed,
                "{run}"
            );
            assert_eq!(run.exit, 0, "{run}");
        }
    }
}

#[test]
fn a_checked_out_partial_clone_need_not_fetch() {
    for destination in EVERYWHERE {
        let origin = origin();
        let sandbox = clone(&origin, &["--filter=blob:none"]);
        let log = counted(&sandbox);
        published(
            &sandbox,
            apply(
                &sandbox,
                destination,
                &[edit_of("a.txt"), edit_of("d0/f0.txt")],
                &[],
            ),
        );
        assert_eq!(fetches(&log), 0, "{destination}");
    }
}

#[test]
fn a_clone_without_trees_fetches_those_too() {
    let origin = origin();
    let sandbox = clone(&origin, &["--filter=tree:0", "--no-checkout"]);
    published(
        &sandbox,
        edit(
            &sandbox,
            "commit",
            "d0/f0.txt",
            "one 0",
            "two",
            &["--branch", "side"],
        ),
    );
    assert_eq!(sandbox.git(&["show", "side:d0/f0.txt"]), "two");
    assert_eq!(sandbox.git(&["show", "side:d1/f1.txt"]), "one 1");
}

#[test]
fn a_promise_that_nobody_keeps_is_a_failure_and_not_an_absent_file() {
    for options in [
        &["--filter=blob:none", "--no-checkout"][..],
        &["--filter=tree:0", "--no-checkout"],
    ] {
        let origin = origin();
        let sandbox = clone(&origin, options);
        drop(origin);
        for (destination, more) in [("commit", &["--branch", "side"][..]), ("stash", &[])] {
            let why = refused(&sandbox, "io", 5, || {
                edit(&sandbox, destination, "d0/f0.txt", "one 0", "two", more)
            });
            assert!(
                why.contains("does not appear to be a git repository") || why.contains("fetch"),
                "{why}"
            );
        }
    }
}

#[test]
fn a_blob_that_nobody_promised_is_named() {
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), ("b.txt", "bee\n")]);
    let id = sandbox.git(&["rev-parse", "HEAD:a.txt"]);
    let object = sandbox
        .repo()
        .join(".git/objects")
        .join(&id[..2])
        .join(&id[2..]);
    std::fs::remove_file(object).unwrap();
    for destination in ["commit", "index", "cached", "stash"] {
        let why = refused(&sandbox, "io", 5, || {
            edit(&sandbox, destination, "a.txt", "one", "two", &[])
        });
        assert!(why.contains(&id), "{why}");
    }
    // What does not need it goes on.
    let run = edit(&sandbox, "commit", "b.txt", "bee", "buzz", &[]);
    assert_eq!(run.exit, 0, "{run}");
}

#[test]
fn what_is_borrowed_stays_where_it_is() {
    for destination in EVERYWHERE {
        let origin = origin();
        let sandbox = clone(&origin, &["--shared"]);
        let count = |sandbox: &Sandbox| sandbox.git(&["count-objects"]);
        let lent = count(&origin);
        published(
            &sandbox,
            edit(&sandbox, destination, "a.txt", "one", "two", &[]),
        );
        assert_eq!(count(&origin), lent, "{destination}");
        assert_ne!(count(&sandbox), "0 objects, 0 kilobytes", "{destination}");
    }
}

#[test]
fn replaced_objects_are_looked_through() {
    // A commit with another history: the new one stands on the real one.
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), ("b.txt", "bee\n")]);
    sandbox.write("b.txt", "buzz\n");
    sandbox.commit_all("second");
    let tip = sandbox.git(&["rev-parse", "HEAD"]);
    sandbox.git(&["replace", "--graft", "HEAD"]);
    assert_eq!(sandbox.git(&["rev-list", "--count", "HEAD"]), "1");
    published(
        &sandbox,
        edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
    );
    assert_eq!(sandbox.git(&["rev-parse", "HEAD^"]), tip);
    assert_eq!(
        sandbox.git(&["--no-replace-objects", "rev-list", "--count", "HEAD"]),
        "3"
    );
    assert_eq!(status(&sandbox), "");

    // A file with another content: what is stored is edited, and a worktree that holds the other is in the way.
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), ("b.txt", "bee\n")]);
    let stored = sandbox.git(&["rev-parse", "HEAD:a.txt"]);
    let other = sandbox.git_with_input(&["hash-object", "-w", "--stdin"], b"other\n");
    sandbox.git(&["replace", &stored, String::from_utf8(other).unwrap().trim()]);
    std::fs::remove_file(sandbox.repo().join("a.txt")).unwrap();
    sandbox.git(&["checkout", "-q", "--", "a.txt"]);
    assert_eq!(
        std::fs::read_to_string(sandbox.repo().join("a.txt")).unwrap(),
        "other\n"
    );
    for destination in ["commit", "index"] {
        refused(&sandbox, "worktree-dirty", 4, || {
            edit(&sandbox, destination, "a.txt", "one", "two", &[])
        });
    }
    published(
        &sandbox,
        edit(&sandbox, "commit", "b.txt", "bee", "buzz", &[]),
    );
    published(
        &sandbox,
        edit(
            &sandbox,
            "commit",
            "a.txt",
            "one",
            "two",
            &["--branch", "side"],
        ),
    );
    assert_eq!(sandbox.git(&["show", "side:a.txt"]), "two");
    sound(&sandbox);
}

#[test]
fn a_ref_store_that_is_not_known_is_refused_by_name() {
    let sandbox = Sandbox::unborn();
    std::fs::remove_dir_all(sandbox.repo().join(".git")).unwrap();
    let made = sandbox.try_git(&["init", "-q", "--template=", "--ref-format=reftable"]);
    if made.exit != 0 {
        println!("SKIPPED: this git knows no reftable");
        return;
    }
    sandbox.write("a.txt", "one\n");
    sandbox.commit_all("first");
    for destination in EVERYWHERE {
        let why = refused(&sandbox, "unsupported-repository", 4, || {
            edit(&sandbox, destination, "a.txt", "one", "two", &[])
        });
        assert!(
            why.contains("reftable") && why.contains("git refs migrate"),
            "{why}"
        );
    }
}
