//! Links, submodules, folders and pipes where a file is expected, in the repository or only in the worktree, from the beginning
//! or since a moment ago. Nothing is written through any of them.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use crate::support::state::{EVERYWHERE, apply, edit, git_at, published, refused, sound, status};
use crate::support::{Run, Sandbox};

fn plain() -> Sandbox {
    Sandbox::with(&[("a.txt", "one\n"), ("dir/b.txt", "bee\n")])
}

#[test]
fn links_that_are_tracked_are_neither_edited_nor_followed() {
    let sandbox = plain();
    let outside = sandbox.aside().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("x.txt"), "one\n").unwrap();
    for (target, name) in [
        ("a.txt", "file"),
        ("dir", "folder"),
        ("nowhere", "dangling"),
        ("../outside", "out"),
        ("loop", "loop"),
    ] {
        symlink(target, sandbox.repo().join(name)).unwrap();
    }
    sandbox.commit_all("links");
    for destination in EVERYWHERE {
        for path in [
            "file",
            "folder/b.txt",
            "dangling",
            "out/x.txt",
            "loop",
            "loop/x.txt",
            "dangling/x.txt",
        ] {
            refused(&sandbox, "path-refused", 3, || {
                edit(&sandbox, destination, path, "one", "two", &[])
            });
        }
        for path in ["out/new.txt", "dangling/new.txt", "folder/new.txt"] {
            let operation = json!({"op": "create", "file": path, "content": "x\n"});
            refused(&sandbox, "path-refused", 3, || {
                apply(&sandbox, destination, &[operation], &[])
            });
        }
    }
    assert_eq!(
        std::fs::read_to_string(outside.join("x.txt")).unwrap(),
        "one\n"
    );
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    published(
        &sandbox,
        edit(&sandbox, "commit", "dir/b.txt", "bee", "buzz", &[]),
    );
    assert_eq!(status(&sandbox), "");
}

/// What takes the place of `a.txt`: its name, and how it is made of the free path and a file outside that says the same.
type Stranger = (&'static str, fn(&Path, &Path));

const STRANGERS: [Stranger; 6] = [
    ("a folder", |path, _| {
        std::fs::create_dir(path).unwrap();
        std::fs::write(path.join("inner.txt"), "inner\n").unwrap();
    }),
    ("an empty folder", |path, _| {
        std::fs::create_dir(path).unwrap()
    }),
    ("a link to the same text", |path, outside| {
        symlink(outside, path).unwrap()
    }),
    ("a dangling link", |path, _| {
        symlink("nowhere", path).unwrap()
    }),
    ("a pipe", |path, _| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(
            made.is_ok_and(|status| status.success()),
            "mkfifo is part of every system"
        );
    }),
    ("a socket", |path, _| {
        drop(std::os::unix::net::UnixListener::bind(path).unwrap())
    }),
];

/// Puts a stranger in the place of `a.txt` and returns the file outside.
fn displaced(sandbox: &Sandbox, make: fn(&Path, &Path)) -> std::path::PathBuf {
    let outside = sandbox.aside().join("outside.txt");
    std::fs::write(&outside, "one\n").unwrap();
    let path = sandbox.repo().join("a.txt");
    std::fs::remove_file(&path).unwrap();
    make(&path, &outside);
    outside
}

#[test]
fn what_took_a_files_place_in_the_worktree_is_left_alone() {
    for (name, make) in STRANGERS {
        for destination in EVERYWHERE {
            let sandbox = plain();
            let outside = displaced(&sandbox, make);
            let before = sandbox.worktree_tree();
            let operations = [
                json!({"op": "replace", "file": "dir/b.txt", "text": "bee", "content": "buzz"}),
                json!({"op": "replace", "file": "a.txt", "text": "one", "content": "two"}),
            ];
            if matches!(destination, "cached" | "stash") {
                // Neither looks at files.
                published(&sandbox, apply(&sandbox, destination, &operations, &[]));
            } else {
                let digest = sandbox.digest();
                let run = apply(&sandbox, destination, &operations, &[]);
                assert!(matches!(run.exit, 3 | 4), "{name} {destination}\n{run}");
                let why = run.json()["errors"].to_string();
                assert!(why.contains("a.txt"), "{name} {destination}: {why}");
                assert!(!why.contains("\"io\""), "{name} {destination}: {why}");
                assert!(
                    digest == sandbox.digest(),
                    "{name} {destination}\n{run}\n{sandbox}"
                );
                sound(&sandbox);
            }
            assert!(before == sandbox.worktree_tree(), "{name} {destination}");
            assert_eq!(
                std::fs::read_to_string(&outside).unwrap(),
                "one\n",
                "{name} {destination}"
            );
        }
    }
}

/// A validator that does to the worktree what somebody else could do at that moment.
const MISCHIEF: &str = "import os, socket, sys\n\
    what, path, outside = sys.argv[1:]\n\
    if os.path.lexists(path) and os.path.isfile(path): os.remove(path)\n\
    if what == 'a folder': os.mkdir(path); open(path + '/inner.txt', 'w').write('inner')\n\
    if what == 'an empty folder': os.mkdir(path)\n\
    if what == 'a link to the same text': os.symlink(outside, path)\n\
    if what == 'a dangling link': os.symlink('nowhere', path)\n\
    if what == 'a pipe': os.mkfifo(path)\n\
    if what == 'a socket': os.chdir(os.path.dirname(path)); socket.socket(socket.AF_UNIX).bind(os.path.basename(path))\n\
    if what == 'another text': open(path, 'w').write('eno\\n')\n";

#[test]
fn what_takes_a_files_place_while_the_batch_is_judged_is_left_alone() {
    let meanwhile = STRANGERS
        .iter()
        .map(|(name, _)| *name)
        .chain(["another text", "nothing"]);
    for name in meanwhile {
        for destination in ["commit", "index", "worktree"] {
            let sandbox = Sandbox::unborn();
            let (script, outside) = (
                sandbox.aside().join("mischief.py"),
                sandbox.aside().join("outside.txt"),
            );
            std::fs::write(&script, MISCHIEF).unwrap();
            std::fs::write(&outside, "one\n").unwrap();
            let command = json!([
                "python3",
                script,
                name,
                sandbox.repo().join("a.txt"),
                outside
            ]);
            let configuration = json!({"version": 1, "validators": [{"name": "mischief", "files": ["*.txt"], "gate": "all", "command": command}]});
            sandbox.write(".segedit.yaml", configuration.to_string());
            sandbox.write("a.txt", "one\n");
            sandbox.write("dir/b.txt", "bee\n");
            sandbox.commit_all("first");
            let tip = sandbox.git(&["rev-parse", "HEAD"]);
            let run = trusted(&sandbox, destination);
            assert!(
                matches!(run.exit, 3 | 4),
                "{name} {destination}\n{run}\n{sandbox}"
            );
            assert!(
                run.json()["errors"].to_string().contains("a.txt"),
                "{name} {destination}\n{run}"
            );
            assert_eq!(
                sandbox.git(&["rev-parse", "HEAD"]),
                tip,
                "{name} {destination}"
            );
            assert_eq!(
                sandbox.git(&["diff", "--cached", "--name-only"]),
                "",
                "{name} {destination}"
            );
            assert_eq!(
                std::fs::read_to_string(sandbox.repo().join("dir/b.txt")).unwrap(),
                "bee\n",
                "{name} {destination}"
            );
            assert_eq!(
                std::fs::read_to_string(&outside).unwrap(),
                "one\n",
                "{name} {destination}"
            );
            let left = sandbox
                .worktree_tree()
                .get("a.txt")
                .map(|entry| (entry.mode.clone(), entry.bytes.clone()));
            let expected = match name {
                "a link to the same text" => {
                    Some(("120000".to_owned(), outside.to_str().unwrap().into()))
                }
                "a dangling link" => Some(("120000".to_owned(), b"nowhere".to_vec())),
                "a pipe" | "a socket" => Some(("special".to_owned(), Vec::new())),
                "another text" => Some(("100644".to_owned(), b"eno\n".to_vec())),
                _ => None,
            };
            assert_eq!(left, expected, "{name} {destination}");
            sound(&sandbox);
        }
    }
}

fn trusted(sandbox: &Sandbox, destination: &str) -> Run {
    let operations = json!({"version": 1, "operations": [
        {"op": "replace", "file": "a.txt", "text": "one", "content": "two"},
        {"op": "replace", "file": "dir/b.txt", "text": "bee", "content": "buzz"}]});
    let mut command = sandbox.segedit_command();
    command.args([
        "apply",
        "--format",
        "json",
        "--no-diff",
        "--destination",
        destination,
        "-",
    ]);
    sandbox.run(
        command.env("GIT_SEGEDIT_TRUST", "always"),
        operations.to_string().as_bytes(),
    )
}

/// A repository with another one in `sub`.
fn nested() -> Sandbox {
    let inner = Sandbox::with(&[("x.txt", "one\n")]);
    let sandbox = plain();
    let url = inner.repo();
    sandbox.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        url.to_str().unwrap(),
        "sub",
    ]);
    sandbox.commit_all("with a submodule");
    sandbox
}

#[test]
fn a_submodule_is_another_repository() {
    for destination in EVERYWHERE {
        let sandbox = nested();
        let in_sub = [
            json!({"op": "replace", "file": "sub/x.txt", "text": "one", "content": "two"}),
            json!({"op": "create", "file": "sub/new.txt", "content": "x\n"}),
            json!({"op": "create", "file": "sub", "content": "x\n"}),
            json!({"op": "remove", "file": "sub"}),
        ];
        for operation in in_sub {
            let run = || apply(&sandbox, destination, std::slice::from_ref(&operation), &[]);
            refused(&sandbox, "path-refused", 3, run);
        }
        // Beside it, and with work under way in it.
        sandbox.write("sub/x.txt", "edited\n");
        sandbox.write("sub/junk.txt", "junk\n");
        let told = status(&sandbox);
        assert!(told.contains("sub"), "{told}");
        published(
            &sandbox,
            edit(&sandbox, destination, "a.txt", "one", "two", &[]),
        );
        assert!(
            status(&sandbox).ends_with(&told),
            "{destination}: {}",
            status(&sandbox)
        );
        assert_eq!(
            std::fs::read_to_string(sandbox.repo().join("sub/x.txt")).unwrap(),
            "edited\n"
        );
    }
}

#[test]
fn inside_a_submodule_it_is_the_repository() {
    for destination in EVERYWHERE {
        let sandbox = nested();
        let (folder, tip) = (
            sandbox.repo().join("sub"),
            sandbox.git(&["rev-parse", "HEAD"]),
        );
        let told = || git_at(&sandbox, &folder, &["status", "--porcelain"]);
        let run = edit(
            &sandbox,
            destination,
            "x.txt",
            "one",
            "two",
            &["-C", folder.to_str().unwrap()],
        );
        assert_eq!(run.exit, 0, "{destination}\n{run}");
        assert_eq!(sandbox.git(&["rev-parse", "HEAD"]), tip);
        let expected = match destination {
            "index" => "M  x.txt",
            "cached" => "MM x.txt",
            "worktree" => " M x.txt",
            _ => "",
        };
        assert_eq!(told().trim_start(), expected.trim_start(), "{destination}");
        git_at(&sandbox, &folder, &["fsck", "--no-dangling"]);
    }
}

#[test]
fn a_submodule_that_is_not_checked_out_is_one_all_the_same() {
    let sandbox = nested();
    sandbox.git(&["submodule", "--quiet", "deinit", "--force", "sub"]);
    for destination in EVERYWHERE {
        let operation = json!({"op": "create", "file": "sub/new.txt", "content": "x\n"});
        refused(&sandbox, "path-refused", 3, || {
            apply(&sandbox, destination, &[operation], &[])
        });
    }
    published(
        &sandbox,
        edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
    );
    assert_eq!(status(&sandbox), "");
}

#[test]
fn a_repository_that_nobody_added_is_in_the_way_of_nothing_but_itself() {
    for destination in EVERYWHERE {
        let sandbox = plain();
        sandbox.git(&["init", "-q", "--template=", "nest"]);
        sandbox.write("nest/x.txt", "one\n");
        let operation = json!({"op": "create", "file": "nest/new.txt", "content": "x\n"});
        let before = sandbox.worktree_tree();
        let run = apply(&sandbox, destination, &[operation], &[]);
        if matches!(destination, "cached" | "stash") {
            assert!(before == sandbox.worktree_tree(), "{destination}");
        } else {
            assert!(matches!(run.exit, 3 | 4), "{destination}\n{run}\n{sandbox}");
            assert!(
                before == sandbox.worktree_tree(),
                "{destination}\n{run}\n{sandbox}"
            );
        }
        published(
            &sandbox,
            edit(&sandbox, destination, "dir/b.txt", "bee", "buzz", &[]),
        );
    }
}
