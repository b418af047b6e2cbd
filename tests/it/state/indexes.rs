//! The index as people set it up: announced files, flags, sparse and split ones, monitors. What the batch does not name
//! keeps what it says, and git goes on seeing every change.

use serde_json::json;

use crate::support::Sandbox;
use crate::support::state::{EVERYWHERE, apply, edit, published, refused, sound, status};

fn plain() -> Sandbox {
    Sandbox::with(&[
        ("a.txt", "one\n"),
        ("dir/b.txt", "bee\n"),
        ("other/c.txt", "sea\n"),
    ])
}

/// Returns what git says of the index: flags, modes, stages, ids.
fn listed(sandbox: &Sandbox, path: &str) -> String {
    sandbox.git(&["ls-files", "-v", "--stage", "--", path])
}

#[test]
fn an_announced_file_keeps_its_content() {
    let announced = || {
        let sandbox = plain();
        sandbox.write("n.txt", "draft\n");
        sandbox.git(&["add", "-N", "n.txt"]);
        sandbox
    };
    // On the path of the batch: there is no content that anybody agreed on, so only the file itself can be edited.
    for destination in ["commit", "index", "cached"] {
        let sandbox = announced();
        let operation = json!({"op": "create", "file": "n.txt", "content": "mine\n"});
        refused(&sandbox, "worktree-dirty", 4, || {
            apply(&sandbox, destination, &[operation], &[])
        });
    }
    let sandbox = announced();
    refused(&sandbox, "file-not-found", 3, || {
        edit(&sandbox, "stash", "n.txt", "draft", "x", &[])
    });
    published(
        &sandbox,
        edit(&sandbox, "worktree", "n.txt", "draft", "done", &[]),
    );
    assert_eq!(status(&sandbox), " A n.txt\n");

    // On another path.
    for destination in EVERYWHERE {
        let sandbox = announced();
        let before = listed(&sandbox, "n.txt");
        published(
            &sandbox,
            edit(&sandbox, destination, "a.txt", "one", "two", &[]),
        );
        assert_eq!(listed(&sandbox, "n.txt"), before, "{destination}");
        assert!(
            status(&sandbox).ends_with(" A n.txt\n"),
            "{destination}: {}",
            status(&sandbox)
        );
        assert_eq!(
            sandbox.git(&["diff", "--cached", "--name-only", "--", "n.txt"]),
            "",
            "still only announced"
        );
        assert_eq!(
            std::fs::read_to_string(sandbox.repo().join("n.txt")).unwrap(),
            "draft\n"
        );
    }
}

#[test]
fn a_file_that_is_assumed_unchanged_is_looked_at_all_the_same() {
    for destination in ["commit", "index"] {
        let sandbox = plain();
        sandbox.git(&["update-index", "--assume-unchanged", "a.txt", "dir/b.txt"]);
        sandbox.write("a.txt", "local\n");
        refused(&sandbox, "worktree-dirty", 4, || {
            edit(&sandbox, destination, "a.txt", "one", "two", &[])
        });
        // A neighbour's flag and local content stay.
        published(
            &sandbox,
            edit(&sandbox, destination, "other/c.txt", "sea", "ocean", &[]),
        );
        assert!(
            listed(&sandbox, "a.txt").starts_with("h "),
            "{}",
            listed(&sandbox, "a.txt")
        );
        assert_eq!(
            std::fs::read_to_string(sandbox.repo().join("a.txt")).unwrap(),
            "local\n"
        );
        // One that really is unchanged is edited like any other.
        published(
            &sandbox,
            edit(&sandbox, destination, "dir/b.txt", "bee", "buzz", &[]),
        );
        assert_eq!(sandbox.git(&["show", ":dir/b.txt"]), "buzz");
        assert_eq!(
            std::fs::read_to_string(sandbox.repo().join("dir/b.txt")).unwrap(),
            "buzz\n"
        );
    }
}

#[test]
fn a_file_that_is_not_checked_out_changes_where_it_is_and_nowhere_else() {
    for destination in EVERYWHERE {
        let sandbox = plain();
        sandbox.git(&["update-index", "--skip-worktree", "a.txt", "dir/b.txt"]);
        std::fs::remove_file(sandbox.repo().join("a.txt")).unwrap();
        sandbox.write("dir/b.txt", "local\n");
        let act = || edit(&sandbox, destination, "a.txt", "one", "two", &[]);
        if destination == "worktree" {
            let why = refused(&sandbox, "unsupported-repository", 4, act);
            assert!(why.contains("not checked out"), "{why}");
            continue;
        }
        published(&sandbox, act());
        assert!(!sandbox.repo().join("a.txt").exists(), "{destination}");
        assert!(
            listed(&sandbox, "a.txt").starts_with("S "),
            "{destination}: {}",
            listed(&sandbox, "a.txt")
        );
        let shown = match destination {
            "commit" => sandbox.git(&["show", "HEAD:a.txt"]),
            "stash" => sandbox.git(&["show", "stash@{0}:a.txt"]),
            _ => sandbox.git(&["show", ":a.txt"]),
        };
        assert_eq!(shown, "two");
        if matches!(destination, "commit" | "index" | "cached") {
            let undone = sandbox.segedit(&["undo"]);
            assert_eq!(
                undone.exit,
                0,
                "{destination}: {}",
                String::from_utf8_lossy(&undone.stderr)
            );
            assert_eq!(sandbox.git(&["show", ":a.txt"]), "one");
            assert!(!sandbox.repo().join("a.txt").exists(), "{destination}");
        }
        // The flag is also how people hide local content, which is theirs.
        if matches!(destination, "commit" | "index") {
            refused(&sandbox, "worktree-dirty", 4, || {
                edit(&sandbox, destination, "dir/b.txt", "bee", "buzz", &[])
            });
        }
        assert_eq!(
            std::fs::read_to_string(sandbox.repo().join("dir/b.txt")).unwrap(),
            "local\n"
        );
        assert!(listed(&sandbox, "dir/b.txt").starts_with("S "));
    }
}

#[test]
fn hidden_content_that_is_removed_comes_back() {
    let sandbox = plain();
    sandbox.git(&["update-index", "--skip-worktree", "a.txt"]);
    sandbox.write("a.txt", "local\n");
    let operations = [json!({"op": "remove", "file": "a.txt"})];
    published(&sandbox, apply(&sandbox, "worktree", &operations, &[]));
    assert!(!sandbox.repo().join("a.txt").exists());
    let undone = sandbox.segedit(&["undo"]);
    assert_eq!(
        undone.exit,
        0,
        "{}",
        String::from_utf8_lossy(&undone.stderr)
    );
    let text = std::fs::read_to_string(sandbox.repo().join("a.txt"));
    assert_eq!(text.unwrap(), "local\n");
    assert!(listed(&sandbox, "a.txt").starts_with("S "));
}

type Setup = (&'static str, fn(&Sandbox));

/// Every way of having less than everything checked out: `dir/` and the root are there, `other/` is not.
const SPARSE: [Setup; 3] = [
    ("cone", |sandbox| {
        sandbox.git(&["sparse-checkout", "set", "--cone", "dir"]);
    }),
    ("sparse index", |sandbox| {
        sandbox.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "dir"]);
    }),
    ("patterns", |sandbox| {
        sandbox.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/other/"]);
    }),
];

#[test]
fn a_sparse_checkout_stays_sparse() {
    for (name, setup) in SPARSE {
        for destination in ["commit", "index", "cached", "stash"] {
            let sandbox = plain();
            setup(&sandbox);
            assert!(!sandbox.repo().join("other").exists());
            let operations = [
                json!({"op": "replace", "file": "a.txt", "text": "one", "content": "two"}),
                json!({"op": "replace", "file": "other/c.txt", "text": "sea", "content": "ocean"}),
                json!({"op": "rename_file", "file": "dir/b.txt", "to": "dir/deep/d.txt"}),
            ];
            published(&sandbox, apply(&sandbox, destination, &operations, &[]));
            let shown = match destination {
                "commit" => "HEAD",
                "stash" => "stash@{0}",
                _ => "",
            };
            for (path, text) in [
                ("a.txt", "two"),
                ("other/c.txt", "ocean"),
                ("dir/deep/d.txt", "bee"),
            ] {
                assert_eq!(
                    sandbox.git(&["show", &format!("{shown}:{path}")]),
                    text,
                    "{name} {destination}"
                );
            }
            assert!(
                !sandbox.repo().join("other").exists(),
                "{name} {destination}"
            );
            let told = match destination {
                "commit" | "stash" => "",
                "index" => "M  a.txt\nR  dir/b.txt -> dir/deep/d.txt\nM  other/c.txt\n",
                _ => "MM a.txt\nRD dir/b.txt -> dir/deep/d.txt\nM  other/c.txt\n?? dir/b.txt\n",
            };
            assert_eq!(status(&sandbox), told, "{name} {destination}");
            // And git can go on from here: what was left out comes back as the batch left it.
            if destination == "commit" {
                sandbox.git(&["sparse-checkout", "disable"]);
                assert_eq!(
                    std::fs::read_to_string(sandbox.repo().join("other/c.txt")).unwrap(),
                    "ocean\n"
                );
                assert_eq!(status(&sandbox), "");
            }
        }
    }
}

#[test]
fn a_new_file_outside_of_a_sparse_checkout_is_made_as_by_git_add_sparse() {
    for (name, setup) in SPARSE {
        let sandbox = plain();
        setup(&sandbox);
        let operation = json!({"op": "create", "file": "other/new.txt", "content": "new\n"});
        published(&sandbox, apply(&sandbox, "commit", &[operation], &[]));
        assert_eq!(status(&sandbox), "", "{name}");
        assert_eq!(
            sandbox.git(&["show", "HEAD:other/new.txt"]),
            "new",
            "{name}"
        );
        assert_eq!(
            sandbox.git(&["ls-files", "-t", "other"]),
            "S other/c.txt\nH other/new.txt",
            "{name}"
        );
        // git first has to look at what is as young as the index, and leaves the file until then.
        sandbox.git(&["update-index", "-q", "--refresh"]);
        sandbox.git(&["sparse-checkout", "reapply"]);
        assert!(!sandbox.repo().join("other").exists(), "{name}");
        assert_eq!(status(&sandbox), "", "{name}");
    }
}

#[test]
fn removing_what_is_not_checked_out() {
    for (name, setup) in SPARSE {
        let sandbox = plain();
        setup(&sandbox);
        published(
            &sandbox,
            apply(
                &sandbox,
                "commit",
                &[json!({"op": "remove", "file": "other/c.txt"})],
                &[],
            ),
        );
        assert_eq!(
            (status(&sandbox), sandbox.git(&["ls-files", "other"])),
            Default::default(),
            "{name}"
        );
    }
}

/// A file-system monitor that notes each call and never has anything to report.
const MONITOR: &str = "#!/bin/sh\necho called >> \"$0.log\"\nprintf 'token\\0'\n";

fn monitored(sandbox: &Sandbox) {
    let hook = sandbox.aside().join("monitor");
    std::fs::write(&hook, MONITOR).unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    sandbox.git(&["config", "core.fsmonitor", hook.to_str().unwrap()]);
    sandbox.git(&["update-index", "--fsmonitor"]);
    sandbox.git(&["status"]);
}

/// What makes git trust what it noted earlier.
const TRUSTING: [Setup; 6] = [
    ("nothing", |_| {}),
    ("untracked cache", |sandbox| {
        sandbox.git(&["config", "core.untrackedCache", "true"]);
        sandbox.git(&["update-index", "--force-untracked-cache"]);
        sandbox.git(&["-c", "core.fsmonitor=false", "status"]);
    }),
    ("split index", |sandbox| {
        sandbox.git(&["config", "core.splitIndex", "true"]);
        sandbox.git(&["update-index", "--split-index"]);
    }),
    ("split index of a time", |sandbox| {
        sandbox.git(&["update-index", "--split-index"]);
        sandbox.write("dir/b.txt", "bee, staged\n");
        sandbox.git(&["add", "dir/b.txt"]);
    }),
    ("many files", |sandbox| {
        sandbox.git(&["config", "feature.manyFiles", "true"]);
        sandbox.git(&["update-index", "--force-write-index"]);
    }),
    ("monitor", monitored),
];

#[test]
fn git_sees_what_is_and_nothing_else_afterwards() {
    for (name, setup) in TRUSTING {
        for destination in EVERYWHERE {
            let sandbox = plain();
            sandbox.write("junk.txt", "junk\n");
            setup(&sandbox);
            let rest = status(&sandbox);
            let called = || {
                std::fs::read(sandbox.aside().join("monitor.log"))
                    .unwrap_or_default()
                    .len()
            };
            let calls = called();
            let run = edit(&sandbox, destination, "a.txt", "one", "two", &[]);
            assert_eq!(
                called(),
                calls,
                "{name}: the monitor is none of ours to run"
            );
            published(&sandbox, run);
            // A monitor that lies would hide changes from git itself.
            sandbox.git(&["config", "core.fsmonitor", "false"]);
            let mine = match destination {
                "index" => "M  a.txt\n",
                "cached" => "MM a.txt\n",
                "worktree" => " M a.txt\n",
                _ => "",
            };
            assert_eq!(
                status(&sandbox),
                format!("{mine}{rest}"),
                "{name} {destination}"
            );
            // Changes that come later are seen too, of the same size and in the same second.
            sandbox.write("other/c.txt", "SEA\n");
            sandbox.write("later.txt", "later\n");
            let told = status(&sandbox);
            assert!(
                told.contains(" M other/c.txt\n") && told.contains("?? later.txt\n"),
                "{name}: {told}"
            );
            sandbox.git(&["add", "--all"]);
            sandbox.git(&["commit", "-q", "-m", "all"]);
            assert_eq!(status(&sandbox), "", "{name} {destination}");
            sound(&sandbox);
        }
    }
}

/// Returns the files that a split index may stand on.
fn shared_indexes(sandbox: &Sandbox) -> Vec<String> {
    sandbox
        .digest()
        .into_keys()
        .filter(|name| name.contains("sharedindex."))
        .collect()
}

#[test]
fn a_split_index_stays_split_and_litters_nothing() {
    let sandbox = plain();
    sandbox.git(&["config", "core.splitIndex", "true"]);
    sandbox.git(&["config", "splitIndex.maxPercentChange", "100"]);
    sandbox.git(&["update-index", "--split-index"]);
    let shared = sandbox.git(&["rev-parse", "--shared-index-path"]);
    for (destination, old, new) in [
        ("commit", "one", "two"),
        ("index", "two", "three"),
        ("cached", "three", "four"),
    ] {
        published(
            &sandbox,
            edit(&sandbox, destination, "a.txt", old, new, &[]),
        );
        assert_eq!(
            sandbox.git(&["rev-parse", "--shared-index-path"]),
            shared,
            "{destination}"
        );
        assert_eq!(
            shared_indexes(&sandbox),
            std::slice::from_ref(&shared),
            "{destination}"
        );
    }
}

#[test]
fn a_refusal_leaves_an_odd_index_as_it_was() {
    for (_, setup) in TRUSTING.into_iter().chain(SPARSE) {
        let sandbox = plain();
        setup(&sandbox);
        status(&sandbox);
        sandbox.write("a.txt", "mine\n");
        for destination in ["commit", "index"] {
            refused(&sandbox, "worktree-dirty", 4, || {
                edit(&sandbox, destination, "a.txt", "one", "two", &[])
            });
        }
        refused(&sandbox, "text-not-found", 3, || {
            edit(&sandbox, "cached", "a.txt", "nowhere to be found", "x", &[])
        });
    }
}
