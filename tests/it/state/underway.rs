//! Merges, rebases, picks and bisects: the branch that they are about does not move under them, in whichever worktree they
//! are; everything else can be changed meanwhile.

use crate::support::Sandbox;
use crate::support::state::{EVERYWHERE, apply, edit, git_at, published, refused, sound, status};
use serde_json::json;

/// `main` and `topic` disagree about `clash.txt`; `topic` stands on `below`.
fn forked() -> Sandbox {
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), ("clash.txt", "base\n")]);
    sandbox.git(&["checkout", "-q", "-b", "topic"]);
    sandbox.write("clash.txt", "below\n");
    sandbox.commit_all("below");
    sandbox.git(&["branch", "below"]);
    sandbox.write("clash.txt", "topic\n");
    sandbox.commit_all("topic");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("clash.txt", "main\n");
    sandbox.commit_all("main");
    sandbox
}

/// What git is told, what it then is in the middle of, and the branches that this is about besides the one in HEAD.
const STARTS: [(&str, &[&str], &[&str]); 8] = [
    ("merge", &["merge", "-q", "topic"], &[]),
    ("cherry-pick", &["cherry-pick", "topic"], &[]),
    ("revert", &["revert", "--no-edit", "HEAD~1"], &[]),
    ("rebase", &["rebase", "-q", "main", "topic"], &["topic"]),
    (
        "rebase with patches",
        &["rebase", "-q", "--apply", "main", "topic"],
        &["topic"],
    ),
    (
        "rebase of a stack",
        &["rebase", "-q", "--update-refs", "main", "topic"],
        &["topic", "below"],
    ),
    ("bisect", &["bisect", "start", "HEAD", "HEAD~1"], &["main"]),
    ("bisect of the tip", &["bisect", "start"], &["main"]),
];

fn start(sandbox: &Sandbox, name: &str, args: &[&str]) {
    if name == "revert" {
        // One that clashes: what it takes back was changed since.
        sandbox.write("clash.txt", "more\n");
        sandbox.commit_all("more");
    }
    sandbox.try_git(args);
    let told = sandbox.git(&["status"]);
    let word = name.split(' ').next().expect("a name has a word");
    let words = [
        word,
        &word.replace("merge", "merg"),
        &word.replace("bisect", "bisecting"),
    ];
    assert!(
        words.iter().any(|word| told.to_lowercase().contains(*word)),
        "{name} is not under way: {told}"
    );
}

#[test]
fn the_branch_that_it_is_about_stays() {
    for (name, args, about) in STARTS {
        let sandbox = forked();
        start(&sandbox, name, args);
        for branch in [None].into_iter().chain(about.iter().copied().map(Some)) {
            let more: Vec<&str> = branch.map_or(vec![], |branch| vec!["--branch", branch]);
            let why = refused(&sandbox, "worktree-dirty", 4, || {
                edit(&sandbox, "commit", "a.txt", "one", "two", &more)
            });
            assert!(why.contains("is under way on"), "{name} {branch:?}: {why}");
        }
    }
}

#[test]
fn everything_else_can_be_changed_meanwhile() {
    for (name, args, _) in STARTS {
        let sandbox = forked();
        start(&sandbox, name, args);
        let (head, told) = (sandbox.git(&["rev-parse", "HEAD"]), status(&sandbox));
        published(
            &sandbox,
            edit(
                &sandbox,
                "commit",
                "a.txt",
                "one",
                "two",
                &["--branch", "other"],
            ),
        );
        published(
            &sandbox,
            edit(&sandbox, "stash", "a.txt", "one", "two", &[]),
        );
        assert_eq!(
            (sandbox.git(&["rev-parse", "HEAD"]), status(&sandbox)),
            (head, told.clone()),
            "{name}"
        );
        for (destination, seen) in [
            ("worktree", " M a.txt\n"),
            ("cached", "MM a.txt\n"),
            ("index", "M  a.txt\n"),
        ] {
            // Each from the same place: the unconflicted file as it was.
            sandbox.git(&["checkout", "-q", "HEAD", "--", "a.txt"]);
            published(
                &sandbox,
                edit(&sandbox, destination, "a.txt", "one", "two", &[]),
            );
            assert_eq!(
                status(&sandbox),
                format!("{seen}{told}"),
                "{name} {destination}"
            );
        }
    }
}

#[test]
fn a_file_in_conflict_is_nobodys_ground() {
    let sandbox = forked();
    start(&sandbox, "merge", &["merge", "-q", "topic"]);
    for destination in ["commit", "index", "cached"] {
        refused(&sandbox, "worktree-dirty", 4, || {
            edit(&sandbox, destination, "clash.txt", "main", "x", &[])
        });
    }
    // The file itself, markers and all, is a file.
    published(
        &sandbox,
        edit(
            &sandbox,
            "worktree",
            "clash.txt",
            "<<<<<<< HEAD",
            "<<<<<<< OURS",
            &[],
        ),
    );
    assert_eq!(status(&sandbox), "UU clash.txt\n");
}

#[test]
fn a_finished_merge_is_what_it_was_to_be() {
    let sandbox = forked();
    start(&sandbox, "merge", &["merge", "-q", "topic"]);
    published(
        &sandbox,
        edit(&sandbox, "index", "a.txt", "one", "two", &[]),
    );
    sandbox.write("clash.txt", "both\n");
    sandbox.git(&["add", "clash.txt"]);
    sandbox.git(&["commit", "-q", "-m", "merged"]);
    assert_eq!(
        sandbox
            .git(&["log", "-1", "--format=%s %P"])
            .split(' ')
            .count(),
        3
    );
    assert_eq!(sandbox.git(&["show", "HEAD:a.txt"]), "two");
    published(
        &sandbox,
        edit(&sandbox, "commit", "a.txt", "two", "three", &[]),
    );
}

#[test]
fn a_pick_of_several_is_under_way_between_two_of_them() {
    let sandbox = forked();
    sandbox.try_git(&["cherry-pick", "below", "topic"]);
    sandbox.write("clash.txt", "resolved\n");
    sandbox.commit_all("below, by hand");
    assert!(!sandbox.repo().join(".git/CHERRY_PICK_HEAD").exists());
    assert!(
        sandbox
            .git(&["status"])
            .contains("Cherry-pick currently in progress")
    );
    refused(&sandbox, "worktree-dirty", 4, || {
        edit(&sandbox, "commit", "a.txt", "one", "two", &[])
    });
    sandbox.git(&["cherry-pick", "--quit"]);
    published(
        &sandbox,
        edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
    );
}

#[test]
fn patches_that_are_being_applied_are_not_disturbed() {
    let sandbox = forked();
    let patch = sandbox.aside().join("topic.patch");
    std::fs::write(
        &patch,
        sandbox.git(&["format-patch", "--stdout", "-1", "topic"]),
    )
    .unwrap();
    sandbox.try_git(&["am", "-q", patch.to_str().unwrap()]);
    assert!(sandbox.git(&["status"]).contains("am session"));
    refused(&sandbox, "worktree-dirty", 4, || {
        edit(&sandbox, "commit", "a.txt", "one", "two", &[])
    });
}

/// Adds a worktree beside the sandbox's own.
fn linked(sandbox: &Sandbox, branch: &str) -> std::path::PathBuf {
    let folder = sandbox.aside().join("linked");
    sandbox.git(&[
        "worktree",
        "add",
        "-q",
        folder.to_str().expect("a plain name"),
        branch,
    ]);
    folder
}

#[test]
fn what_is_under_way_in_another_worktree_counts() {
    let starts: [(&str, &[&str], &str); 5] = [
        ("merge", &["merge", "-q", "main"], "topic"),
        ("cherry-pick", &["cherry-pick", "main"], "topic"),
        ("rebase", &["rebase", "-q", "main"], "topic"),
        (
            "rebase of a stack",
            &["rebase", "-q", "--update-refs", "main"],
            "below",
        ),
        ("bisect", &["bisect", "start", "HEAD", "HEAD~1"], "topic"),
    ];
    for (name, args, branch) in starts {
        let sandbox = forked();
        let folder = linked(&sandbox, "topic");
        sandbox.try_git(&[&["-C", folder.to_str().expect("a plain name")], args].concat());
        let told = git_at(&sandbox, &folder, &["status", "--porcelain"]);
        let why = refused(&sandbox, "worktree-dirty", 4, || {
            edit(
                &sandbox,
                "commit",
                "a.txt",
                "one",
                "two",
                &["--branch", branch],
            )
        });
        assert!(why.contains("worktrees/linked"), "{name}: {why}");
        // What is checked out here has nothing to do with it.
        published(
            &sandbox,
            edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
        );
        assert_eq!(status(&sandbox), "", "{name}");
        assert_eq!(
            git_at(&sandbox, &folder, &["status", "--porcelain"]),
            told,
            "{name}"
        );
    }
}

#[test]
fn another_worktree_follows_with_all_it_has_or_refuses() {
    let sandbox = forked();
    let folder = linked(&sandbox, "topic");
    let write = |path: &str, text: &str| {
        std::fs::write(folder.join(path), text).expect("a file of the worktree")
    };
    write("mine.txt", "staged\n");
    git_at(&sandbox, &folder, &["add", "mine.txt"]);
    write("clash.txt", "unstaged\n");
    let to = |old: &str, new: &str| {
        edit(
            &sandbox,
            "commit",
            "a.txt",
            old,
            new,
            &["--branch", "topic"],
        )
    };
    published(&sandbox, to("one", "two"));
    let told = sandbox.git_with_input(
        &["-C", folder.to_str().unwrap(), "status", "--porcelain"],
        b"",
    );
    assert_eq!(
        String::from_utf8(told).unwrap(),
        " M clash.txt\nA  mine.txt\n"
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("a.txt")).unwrap(),
        "two\n"
    );

    // Dirty on the batch's own path, staged or not: neither branch nor files move.
    write("a.txt", "mine\n");
    for add in [false, true] {
        if add {
            git_at(&sandbox, &folder, &["add", "a.txt"]);
        }
        refused(&sandbox, "worktree-dirty", 4, || to("two", "three"));
        assert_eq!(
            std::fs::read_to_string(folder.join("a.txt")).unwrap(),
            "mine\n"
        );
    }
}

#[test]
fn a_worktree_whose_folder_is_elsewhere_just_now_keeps_its_branch() {
    let sandbox = forked();
    let folder = linked(&sandbox, "topic");
    let gone = sandbox.aside().join("gone");
    let topic = |old: &str, new: &str| {
        edit(
            &sandbox,
            "commit",
            "a.txt",
            old,
            new,
            &["--branch", "topic"],
        )
    };
    std::fs::rename(&folder, &gone).unwrap();
    for lock in ["lock", "unlock"] {
        sandbox.git(&["worktree", lock, folder.to_str().unwrap()]);
        let why = refused(&sandbox, "worktree-dirty", 4, || topic("one", "two"));
        assert!(
            why.contains("'topic' used by worktree at") && why.contains("linked"),
            "{why}"
        );
        let dry = ["--branch", "topic", "--dry-run"];
        refused(&sandbox, "worktree-dirty", 4, || {
            edit(&sandbox, "commit", "a.txt", "one", "two", &dry)
        });
    }
    // What is checked out here is moved like by `git commit`, and every other branch.
    sandbox.git(&["branch", "free"]);
    published(
        &sandbox,
        edit(
            &sandbox,
            "commit",
            "a.txt",
            "one",
            "two",
            &["--branch", "free"],
        ),
    );
    sandbox.git(&[
        "-C",
        sandbox.repo().to_str().unwrap(),
        "symbolic-ref",
        "HEAD",
        "refs/heads/topic",
    ]);
    sandbox.git(&["reset", "-q", "--hard"]);
    published(
        &sandbox,
        edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
    );
    sandbox.git(&["checkout", "-q", "main"]);
    // When the folder is back it follows again, and when git has forgotten it there is nothing to follow.
    std::fs::rename(&gone, &folder).unwrap();
    git_at(&sandbox, &folder, &["reset", "-q", "--hard"]);
    published(&sandbox, topic("two", "three"));
    assert_eq!(git_at(&sandbox, &folder, &["status", "--porcelain"]), "");
    std::fs::remove_dir_all(&folder).unwrap();
    refused(&sandbox, "worktree-dirty", 4, || topic("three", "four"));
    sandbox.git(&["worktree", "prune"]);
    published(&sandbox, topic("three", "four"));
}

#[test]
fn worktrees_that_have_no_say() {
    let sandbox = forked();
    // One that stands on the same commit without the branch.
    let detached = sandbox.aside().join("detached");
    sandbox.git(&[
        "worktree",
        "add",
        "-q",
        "--detach",
        detached.to_str().unwrap(),
        "topic",
    ]);
    published(
        &sandbox,
        edit(
            &sandbox,
            "commit",
            "a.txt",
            "one",
            "two",
            &["--branch", "topic"],
        ),
    );
    assert_eq!(git_at(&sandbox, &detached, &["status", "--porcelain"]), "");
    assert_eq!(
        std::fs::read_to_string(detached.join("a.txt")).unwrap(),
        "one\n"
    );
    assert_eq!(sandbox.git(&["show", "topic:a.txt"]), "two");
}

#[test]
fn two_worktrees_on_one_branch_both_follow() {
    let sandbox = forked();
    let folder = sandbox.aside().join("linked");
    sandbox.git(&[
        "worktree",
        "add",
        "-q",
        "--force",
        folder.to_str().unwrap(),
        "main",
    ]);
    let operations = [
        json!({"op": "replace", "file": "a.txt", "text": "one", "content": "two"}),
        json!({"op": "create", "file": "new/b.txt", "content": "b\n"}),
        json!({"op": "remove", "file": "clash.txt"}),
    ];
    published(&sandbox, apply(&sandbox, "commit", &operations, &[]));
    assert_eq!(
        (
            status(&sandbox),
            git_at(&sandbox, &folder, &["status", "--porcelain"])
        ),
        Default::default()
    );
    std::fs::write(folder.join("a.txt"), "mine\n").unwrap();
    refused(&sandbox, "worktree-dirty", 4, || {
        edit(&sandbox, "commit", "a.txt", "two", "three", &[])
    });
    sound(&sandbox);
}

#[test]
fn a_linked_worktree_takes_every_destination_and_leaves_the_others_alone() {
    for destination in EVERYWHERE {
        let sandbox = forked();
        let folder = linked(&sandbox, "topic");
        let before = (
            sandbox.git(&["rev-parse", "HEAD"]),
            sandbox.worktree_tree() == sandbox.tree("HEAD"),
        );
        published(
            &sandbox,
            edit(
                &sandbox,
                destination,
                "a.txt",
                "one",
                "two",
                &["-C", folder.to_str().unwrap()],
            ),
        );
        assert_eq!(
            (
                sandbox.git(&["rev-parse", "HEAD"]),
                sandbox.worktree_tree() == sandbox.tree("HEAD")
            ),
            before
        );
        assert_eq!(status(&sandbox), "");
        let told = sandbox.git_with_input(
            &["-C", folder.to_str().unwrap(), "status", "--porcelain"],
            b"",
        );
        let expected = match destination {
            "index" => "M  a.txt\n",
            "cached" => "MM a.txt\n",
            "worktree" => " M a.txt\n",
            _ => "",
        };
        assert_eq!(String::from_utf8(told).unwrap(), expected, "{destination}");
        let tip = match destination {
            "commit" => "topic",
            "stash" => "stash@{0}",
            _ => continue,
        };
        assert_eq!(sandbox.git(&["show", &format!("{tip}:a.txt")]), "two");
    }
}
