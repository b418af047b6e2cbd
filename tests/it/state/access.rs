//! What stands in the way of reading and writing: locks of others, owners, rights.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::state::{EVERYWHERE, apply, edit, published, refused, sound};
use crate::support::{Run, Sandbox};

fn plain() -> Sandbox {
    Sandbox::with(&[("a.txt", "one\n"), ("dir/b.txt", "bee\n")])
}

#[test]
fn a_lock_that_nobody_gives_back_is_named_with_its_age_and_stays() {
    let locks: [(&str, &[&str]); 2] = [
        ("index.lock", &["commit", "index", "cached"]),
        ("refs/heads/main.lock", &["commit"]),
    ];
    std::thread::scope(|scope| {
        // Each is waited for; all at once costs the longest wait.
        for (name, destinations) in locks {
            for destination in destinations {
                scope.spawn(move || {
                    let sandbox = plain();
                    let lock = sandbox.repo().join(".git").join(name);
                    std::fs::write(&lock, "somebody's\n").unwrap();
                    let file = std::fs::File::options().write(true).open(&lock).unwrap();
                    file.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600))
                        .unwrap();
                    let start = Instant::now();
                    let why = refused(&sandbox, "index-locked", 4, || {
                        edit(&sandbox, destination, "a.txt", "one", "two", &[])
                    });
                    assert!(
                        start.elapsed() > Duration::from_secs(1),
                        "{name} was not waited for"
                    );
                    assert!(
                        start.elapsed() < Duration::from_secs(60),
                        "{name} was waited for too long"
                    );
                    let age = (3600..3660).any(|age| why.contains(&format!("{age} seconds old")));
                    assert!(why.contains(name) && age, "{why}");
                });
            }
        }
    });
}

#[test]
fn a_lock_that_is_given_back_is_waited_for() {
    let sandbox = plain();
    let lock = sandbox.repo().join(".git/refs/heads/main.lock");
    std::fs::write(&lock, "").unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            std::fs::remove_file(&lock).unwrap();
        });
        published(
            &sandbox,
            edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
        );
    });
}

#[test]
fn locks_that_a_batch_has_no_use_for_are_not_in_its_way() {
    let sandbox = plain();
    for name in [
        "index.lock",
        "HEAD.lock",
        "config.lock",
        "packed-refs.lock",
        "refs/heads/main.lock",
    ] {
        std::fs::write(sandbox.repo().join(".git").join(name), "").unwrap();
    }
    for (destination, more) in [
        ("commit", &["--branch", "side"][..]),
        ("worktree", &[]),
        ("stash", &[]),
    ] {
        let run = edit(&sandbox, destination, "a.txt", "one", "two", more);
        assert_eq!(run.exit, 0, "{destination}\n{run}\n{sandbox}");
    }
    let left = sandbox
        .digest()
        .into_keys()
        .filter(|name| name.ends_with(".lock"))
        .count();
    assert_eq!(left, 5, "none of ours to remove");
}

/// Gives the sandbox to somebody; false, with a word about it, where that cannot be done.
fn given(sandbox: &Sandbox, owner: &str) -> bool {
    let done = Command::new("chown")
        .args(["-R", owner])
        .arg(sandbox.aside())
        .status();
    let done = done.is_ok_and(|status| status.success());
    if !done {
        println!("SKIPPED: only root can give a repository away");
    }
    done
}

#[test]
fn somebody_elses_repository_is_theirs_until_the_caller_says_otherwise() {
    let sandbox = plain();
    if !given(&sandbox, "12345:12345") {
        return;
    }
    // The digest reads files; git itself would refuse to speak of them here.
    let before = sandbox.digest();
    for destination in EVERYWHERE {
        let run = edit(&sandbox, destination, "a.txt", "one", "two", &[]);
        assert_eq!(run.exit, 4, "{run}");
        let why = run.json()["errors"].to_string();
        assert!(
            why.contains("unsupported-repository") && why.contains("safe.directory"),
            "{run}"
        );
    }
    assert!(before == sandbox.digest(), "something changed");
    let home = sandbox.aside().join("home/.gitconfig");
    let safe = format!("[safe]\n\tdirectory = {}\n", sandbox.repo().display());
    std::fs::write(&home, std::fs::read_to_string(&home).unwrap() + &safe).unwrap();
    published(
        &sandbox,
        edit(&sandbox, "commit", "a.txt", "one", "two", &[]),
    );
}

/// Runs an edit as somebody without the rights of root.
fn edit_as_owner(sandbox: &Sandbox, args: &[&str]) -> Run {
    let tool = sandbox.segedit_command();
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=12345", "--regid=12345", "--clear-groups"])
        .arg(tool.get_program())
        .args(args);
    command.env_clear().current_dir(sandbox.repo());
    command.envs(
        tool.get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    sandbox.run(
        &mut command,
        br#"{"version": 1, "operations": [{"op": "replace", "file": "dir/b.txt", "text": "bee", "content": "buzz"}]}"#,
    )
}

fn forbid(sandbox: &Sandbox, folder: &str) {
    let done = Command::new("chmod")
        .args(["-R", "a-w"])
        .arg(sandbox.repo().join(folder))
        .status();
    assert!(done.is_ok_and(|status| status.success()));
}

#[test]
fn a_repository_that_cannot_be_written_is_only_read() {
    let can = Command::new("setpriv")
        .args(["--reuid=12345", "--regid=12345", "--clear-groups", "true"])
        .status();
    if !can.is_ok_and(|status| status.success()) {
        println!("SKIPPED: no setpriv, or not root");
        return;
    }
    let apply = |sandbox: &Sandbox, more: &[&str]| {
        edit_as_owner(
            sandbox,
            &[&["apply", "--format", "json", "--no-diff"], more, &["-"]].concat(),
        )
    };
    // All of it: refused by name, and what only reads works.
    for destination in EVERYWHERE {
        let sandbox = plain();
        if !given(&sandbox, "12345:12345") {
            return;
        }
        forbid(&sandbox, ".");
        let before = sandbox.digest();
        let run = apply(&sandbox, &["--destination", destination]);
        assert_eq!(run.exit, 5, "{destination}\n{run}");
        let why = run.json()["errors"].to_string();
        assert!(
            why.contains("\"io\"") && why.contains("Permission denied"),
            "{run}"
        );
        let check = apply(
            &sandbox,
            &["--destination", destination, "--mode", "verify_only"],
        );
        assert_eq!(check.exit, 0, "{destination}\n{check}");
        let shown = edit_as_owner(&sandbox, &["outline", "dir/b.txt"]);
        assert!(
            shown.exit == 0 || shown.err().contains("unsupported-language") || shown.exit == 3,
            "{shown}"
        );
        assert!(
            before == sandbox.digest(),
            "{destination} changed something"
        );
    }
    // Only a folder of the worktree: what stays in git's own folder is published, the rest is put back.
    for (destination, exit) in [
        ("commit", 5),
        ("index", 5),
        ("worktree", 5),
        ("cached", 0),
        ("stash", 0),
    ] {
        let sandbox = plain();
        given(&sandbox, "12345:12345");
        forbid(&sandbox, "dir");
        let before = sandbox.digest();
        let run = apply(&sandbox, &["--destination", destination]);
        assert_eq!(run.exit, exit, "{destination}\n{run}");
        if exit != 0 {
            assert!(
                run.json()["errors"].to_string().contains("dir/b.txt"),
                "{run}"
            );
            assert!(
                before == sandbox.digest(),
                "{destination} changed something"
            );
        }
        sandbox.run(
            Command::new("chown")
                .args(["-R", "0:0"])
                .arg(sandbox.aside()),
            b"",
        );
        sound(&sandbox);
    }
}

#[test]
fn a_file_that_the_system_will_not_let_go_of_takes_the_whole_batch_back() {
    let sandbox = plain();
    let file = sandbox.repo().join("dir/b.txt");
    let fixed = |sign: &str| {
        let run = Command::new("chattr")
            .arg(format!("{sign}i"))
            .arg(&file)
            .output();
        run.is_ok_and(|output| output.status.success())
    };
    if !fixed("+") {
        println!("SKIPPED: no chattr +i here");
        return;
    }
    let operations = [
        serde_json::json!({"op": "replace", "file": "a.txt", "text": "one", "content": "two"}),
        serde_json::json!({"op": "replace", "file": "dir/b.txt", "text": "bee", "content": "buzz"}),
    ];
    for destination in ["commit", "index", "worktree"] {
        let why = refused(&sandbox, "io", 5, || {
            apply(&sandbox, destination, &operations, &[])
        });
        assert!(
            why.contains("dir/b.txt") && why.contains("not permitted"),
            "{why}"
        );
    }
    assert!(fixed("-"));
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o644
    );
    published(&sandbox, apply(&sandbox, "commit", &operations, &[]));
}

/// Whoever shares a repository can go on in what a batch made there: its permissions are those that git gives, whatever the umask.
#[test]
fn in_a_shared_repository_others_can_go_on_where_a_batch_was_published() {
    let check = |setting: Option<&str>, umask: &str| {
        let sandbox = plain();
        if let Some(setting) = setting {
            sandbox.git(&["config", "core.sharedRepository", setting]);
        }
        let under = |line: &str| {
            let run = sandbox.shell(&format!("umask {umask}; {line}"));
            assert_eq!(run.exit, 0, "{line}\n{run}");
        };
        let edit = |to: &str, options: &str| {
            under(&format!(
                "git segedit replace a.txt --content {to} {options}"
            ))
        };
        let modes = || {
            let found = sandbox
                .shell("cd .git && find . -printf '%m %y %P\\n'")
                .out();
            let named = |line: &str| {
                line.split_once(' ')
                    .map(|(mode, name)| (name.to_owned(), mode.to_owned()))
            };
            found
                .lines()
                .filter_map(named)
                .collect::<std::collections::BTreeMap<_, _>>()
        };
        let before = modes();
        // Loose objects, a pack, refs with logs in folders of their own, the index, packed refs, a draft.
        edit("two", "--branch deep/er/ours");
        edit("three", "");
        edit("four", "--destination index");
        edit("five", "--destination stash");
        edit("six", "--branch gone");
        under(
            "git config transfer.unpackLimit 2; git segedit replace a.txt --content seven --branch packed/ours",
        );
        under(
            "echo '{\"path\": \"a.txt\", \"old\": \"four\", \"new\": \"eight\", \"draft\": \"d\"}' | git segedit call segedit_edit",
        );
        let ours: Vec<_> = modes()
            .into_iter()
            .filter(|(name, _)| !before.contains_key(name))
            .collect();
        // What git makes.
        under("git branch its/branch && git branch deep/its");
        under("for i in 1 2 3 4 5 6 7 8 9; do echo $i | git hash-object -w --stdin; done");
        under("git repack -q -d -f --no-write-bitmap-index");
        let all = modes();
        let its = |name: &str| {
            all.get(name)
                .unwrap_or_else(|| panic!("{name} in {all:?}"))
                .clone()
        };
        let (folder, file) = (its("d refs/heads/its"), its("f refs/heads/its/branch"));
        assert_eq!(
            (
                its("d logs/refs/heads/its"),
                its("f logs/refs/heads/its/branch")
            ),
            (folder.clone(), file.clone())
        );
        let known = |name: &str| ours.iter().any(|(ours, _)| ours.starts_with(name));
        for name in [
            "d objects/",
            "f objects/pack/pack-",
            "d refs/heads/deep/er",
            "f logs/refs/heads/deep/er/ours",
            "f logs/refs/stash",
        ] {
            assert!(known(name), "{name} in {ours:?}");
        }
        assert!(
            known("f segedit/drafts/d.yaml") && known("f segedit/lock"),
            "{ours:?}"
        );
        let object = all.iter().find(|(name, _)| {
            name.starts_with("f objects/pack/") && !ours.iter().any(|(ours, _)| ours == *name)
        });
        let object = object
            .map(|(_, mode)| mode.clone())
            .expect("git packed something");
        for (name, mode) in ours {
            let expected = if name.starts_with("d ") {
                &folder
            } else if name.starts_with("f objects/") {
                &object
            } else {
                &file
            };
            assert_eq!(&mode, expected, "{name}, {setting:?} under {umask}");
        }
    };
    check(None, "022");
    check(None, "077");
    check(Some("group"), "022");
    check(Some("group"), "077");
    check(Some("0640"), "022");
    check(Some("all"), "027");
}

/// What is granted is granted to what the program made, and not through a link to what others have elsewhere.
#[test]
fn permissions_of_a_shared_repository_do_not_go_through_links() {
    let sandbox = plain();
    sandbox.git(&["config", "core.sharedRepository", "0666"]);
    let treasure = sandbox.aside().join("treasure");
    std::fs::create_dir(&treasure).unwrap();
    std::fs::write(treasure.join("main"), "").unwrap();
    let logs = sandbox.repo().join(".git/logs");
    std::fs::remove_dir_all(&logs).unwrap();
    std::fs::create_dir_all(logs.join("refs")).unwrap();
    std::os::unix::fs::symlink(&treasure, logs.join("refs/heads")).unwrap();
    std::os::unix::fs::symlink(treasure.join("main"), logs.join("HEAD")).unwrap();
    for path in [treasure.join("main"), treasure.clone()] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
    }
    edit(&sandbox, "commit", "a.txt", "one", "two", &[]);
    for path in [treasure.join("main"), treasure] {
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777,
            0o700,
            "{}",
            path.display()
        );
    }
}
