//! Indexes of every sort that git writes, edited here and by git itself.

use super::*;
use crate::git::testing::{Sandbox, path};
use crate::snapshot::FileMode;

/// What git makes of the index of `sandbox`, in an order and words of its own.
fn listed(sandbox: &Sandbox) -> Vec<String> {
    let ask = |arguments: &[&str]| sandbox.git(arguments);
    vec![
        ask(&["ls-files", "-s", "-t", "-v"]),
        // Read by several threads, each a part of the file.
        ask(&["-c", "index.threads=4", "ls-files", "-s"]),
        ask(&["ls-files", "--resolve-undo"]),
        ask(&["write-tree"]),
        ask(&["status", "--porcelain", "--untracked-files=all"]),
    ]
}

fn signatures(file: &IndexFile) -> Vec<String> {
    let names = file.extensions.iter();
    names
        .map(|(signature, _)| String::from_utf8_lossy(signature).into_owned())
        .collect()
}

/// Writes the index that `edits` make, here and by git in a copy of the repository, and holds the one to the other.
#[track_caller]
fn check(name: &str, format: &str, (version, extension): (u32, &str), prepare: &dyn Fn(&Sandbox)) {
    let files: Vec<(String, String)> = (0..40)
        .map(|at| {
            (
                format!("d{}/e{}/f{at}.txt", at / 10, at / 5),
                format!("{at}\n"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let arguments = format!("--object-format={format}");
    let (ours, git) = (
        Sandbox::with(&[&arguments], &files),
        Sandbox::with(&[&arguments], &files),
    );
    for sandbox in [&ours, &git] {
        prepare(sandbox);
    }
    let repo = ours.repo();
    let blob = Id(ours.git(&["rev-parse", "HEAD:d3/e7/f39.txt"]));
    let edit = |at: &str, is_there: bool| IndexEdit {
        path: path(at),
        entry: is_there.then(|| (FileMode::Regular, blob.clone())),
        stat: None,
    };
    let same = [edit("d0/e0/f0.txt", true), edit("d3/e7/f38.txt", true)];
    let mixed = [
        edit("d1/e2/f11.txt", false),
        edit("a/new.txt", true),
        edit("d2/e4/f20.txt", false),
        // A file in the place of a folder that goes.
        edit("d2/e5/f25.txt", false),
        edit("d2/e5/f26.txt", false),
        edit("d2/e5/f27.txt", false),
        edit("d2/e5/f28.txt", false),
        edit("d2/e5/f29.txt", false),
        edit("d2/e5", true),
        edit("zz/last.txt", true),
    ];
    let first = repo.read_index().unwrap();
    assert_eq!(first.file.version, version, "{name}");
    let is_there = extension.is_empty() || signatures(&first.file).iter().any(|it| it == extension);
    assert!(is_there, "{name}: {:?}", signatures(&first.file));
    let is_unhashed = |file: &IndexFile| file.checksum().iter().all(|&byte| byte == 0);
    assert_eq!(
        is_unhashed(&first.file),
        name.starts_with("without"),
        "{name}"
    );
    for edits in [&same[..], &mixed] {
        let entries = repo.read_index().unwrap();
        let before = signatures(&entries.file);
        let bytes = written(&entries.with(&repo, edits, None).unwrap());
        let again = IndexFile::read(bytes.clone(), repo.hash_kind()).unwrap();
        assert_eq!(again.version, entries.file.version, "{name}");
        assert_eq!(is_unhashed(&again), is_unhashed(&first.file), "{name}");
        let untracked = again.extension(b"UNTR").is_some();
        let keeps = before.contains(&"UNTR".to_owned()) && edits.len() == same.len();
        assert_eq!(untracked, keeps, "{name}");
        for kept in ["TREE", "REUC", "EOIE", "IEOT"] {
            let has = |names: &[String]| names.iter().any(|name| name == kept);
            assert_eq!(has(&signatures(&again)), has(&before), "{name}: {kept}");
        }
        fs::write(ours.root().join(".git/index"), bytes).unwrap();
        let zero = "0".repeat(blob.0.len());
        let lines: String = edits
            .iter()
            .map(|edit| match &edit.entry {
                Some((mode, blob)) => format!("{:o} {blob}\t{}\n", mode.bits(), edit.path),
                None => format!("0 {zero}\t{}\n", edit.path),
            })
            .collect();
        git.git_with_input(&["update-index", "--index-info"], lines.as_bytes());
        assert_eq!(listed(&ours), listed(&git), "{name}");
    }
    let verified = ours.git(&["-c", "core.fsyncMethod=fsync", "fsck", "--no-dangling"]);
    assert_eq!(verified, "", "{name}");
}

#[test]
fn indexes_of_every_sort_are_edited_as_git_does() {
    type Act = fn(&Sandbox);
    let cases: [(&str, u32, &str, Act); 9] = [
        ("version 2", 2, "TREE", |_| {}),
        ("version 3", 3, "", |sandbox| {
            drop(sandbox.git(&["update-index", "--skip-worktree", "d1/e2/f12.txt"]));
        }),
        ("version 4", 4, "", |sandbox| {
            drop(sandbox.git(&["update-index", "--index-version", "4"]));
        }),
        ("in parts", 2, "IEOT", |sandbox| {
            sandbox.git(&["config", "index.threads", "4"]);
            drop(sandbox.git(&["update-index", "--force-write-index"]));
        }),
        ("version 4 in parts", 4, "IEOT", |sandbox| {
            sandbox.git(&["config", "index.threads", "4"]);
            drop(sandbox.git(&[
                "update-index",
                "--index-version",
                "4",
                "--force-write-index",
            ]));
        }),
        ("without a hash", 2, "", |sandbox| {
            sandbox.git(&["config", "index.skipHash", "true"]);
            drop(sandbox.git(&["update-index", "--force-write-index"]));
        }),
        ("with what is not tracked", 2, "UNTR", |sandbox| {
            sandbox.git(&["config", "core.untrackedCache", "true"]);
            sandbox.write("d0/untracked.txt", "a\n");
            drop(sandbox.git(&["status", "--porcelain"]));
        }),
        ("announced and assumed", 3, "", |sandbox| {
            sandbox.write("d0/announced.txt", "a\n");
            sandbox.git(&["add", "-N", "d0/announced.txt"]);
            drop(sandbox.git(&["update-index", "--assume-unchanged", "d3/e6/f30.txt"]));
        }),
        ("folders that are known", 2, "TREE", |sandbox| {
            drop(sandbox.git(&["write-tree"]));
        }),
    ];
    for (name, version, extension, prepare) in cases {
        for format in ["sha1", "sha256"] {
            let expected = (version, extension);
            check(&format!("{name}, {format}"), format, expected, &prepare);
        }
    }
}

#[test]
fn an_index_with_another_hash_than_its_own_is_not_written_anew() {
    let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
    let file = sandbox.root().join(".git/index");
    let mut bytes = fs::read(&file).unwrap();
    // The inode of the only entry.
    bytes[12 + 20] ^= 1;
    fs::write(&file, bytes).unwrap();
    let repo = sandbox.repo();
    let entries = repo.read_index().unwrap();
    let content = entries.with(&repo, &[], None).unwrap();
    let mut lock = repo.index_key().unwrap().turn().unwrap();
    let refusal = lock.write(&content).unwrap_err();
    assert!(refusal.message.contains("is damaged"), "{refusal:?}");
}

#[test]
fn what_is_no_index_is_not_waited_for() {
    let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
    let file = sandbox.root().join(".git/index");
    let says = || match sandbox.repo().read_index() {
        Ok(_) => String::new(),
        Err(refusal) => refusal.message,
    };
    fs::remove_file(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    assert!(says().ends_with("it is no file"), "{}", says());
    fs::remove_file(&file).unwrap();
    let large = fs::File::create(&file).unwrap();
    large.set_len(LARGEST + 1).unwrap();
    assert!(says().ends_with("larger than 2 GiB"), "{}", says());
}

#[test]
fn a_path_is_a_file_or_a_folder() {
    let sandbox = Sandbox::with(&[], &[("a/b.txt", "one\n"), ("c.txt", "two\n")]);
    let repo = sandbox.repo();
    let entries = repo.read_index().unwrap();
    let blob = Id(sandbox.git(&["rev-parse", "HEAD:c.txt"]));
    for at in ["a", "c.txt/d"] {
        let edit = IndexEdit {
            path: path(at),
            entry: Some((FileMode::Regular, blob.clone())),
            stat: None,
        };
        assert!(entries.with(&repo, &[edit], None).is_err(), "{at}");
    }
}

/// Returns the bytes of an index to come.
fn written(content: &IndexContent) -> Vec<u8> {
    let mut bytes = Vec::new();
    content.write_to(&mut bytes).unwrap();
    bytes
}

/// Waits until whatever is written next has another time.
fn pause() {
    std::thread::sleep(std::time::Duration::from_millis(30));
}

#[test]
fn a_file_is_clean_as_long_as_nobody_touches_it() {
    type Act = fn(&Sandbox);
    let same_size: Act = |sandbox| sandbox.write("a.txt", "two\n");
    let same_time: Act = |sandbox| {
        let file = sandbox.root().join("a.txt");
        let time = fs::metadata(&file).unwrap().modified().unwrap();
        fs::write(&file, "two\n").unwrap();
        fs::File::options()
            .write(true)
            .open(&file)
            .unwrap()
            .set_modified(time)
            .unwrap();
    };
    let another: Act = |sandbox| {
        let (file, other) = (sandbox.root().join("a.txt"), sandbox.root().join("other"));
        fs::write(&other, "two\n").unwrap();
        fs::rename(other, file).unwrap();
    };
    let no_ctime: Act = |sandbox| {
        sandbox.git(&["config", "core.trustctime", "false"]);
        let file = sandbox.root().join("a.txt");
        fs::set_permissions(&file, fs::metadata(&file).unwrap().permissions()).unwrap();
    };
    let minimal: Act = |sandbox| {
        sandbox.git(&["config", "core.checkStat", "minimal"]);
        // The second of the index has to be a later one.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        sandbox.git(&["update-index", "--force-write-index"]);
        same_inode_or_not(sandbox);
    };
    let cases: [(&str, Act, bool); 9] = [
        ("nothing", |_| {}, true),
        ("read", |sandbox| drop(sandbox.read("a.txt")), true),
        ("written, as long as before", same_size, false),
        ("written, its time set back", same_time, false),
        ("another file", another, false),
        ("touched", |sandbox| sandbox.write("a.txt", "one\n"), false),
        (
            "touched and added",
            |sandbox| {
                sandbox.write("a.txt", "two\n");
                pause();
                sandbox.git(&["add", "a.txt"]);
            },
            true,
        ),
        ("the time of the inode alone", no_ctime, true),
        ("a copy with the same time", minimal, true),
    ];
    for (name, act, expected) in cases {
        let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
        pause();
        sandbox.git(&["update-index", "--force-write-index"]);
        pause();
        act(&sandbox);
        let repo = sandbox.repo();
        let stat = repo.worktree().unwrap().stat(&path("a.txt")).unwrap();
        let entries = repo.read_index().unwrap();
        assert_eq!(
            entries.is_clean(&repo, &path("a.txt"), &stat),
            expected,
            "{name}"
        );
        assert!(!entries.is_clean(&repo, &path("b.txt"), &stat), "{name}");
    }
}

/// Puts a copy in the place of the file, with its times.
fn same_inode_or_not(sandbox: &Sandbox) {
    let (file, other) = (sandbox.root().join("a.txt"), sandbox.root().join("other"));
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    fs::copy(&file, &other).unwrap();
    fs::File::options()
        .write(true)
        .open(&other)
        .unwrap()
        .set_modified(time)
        .unwrap();
    fs::rename(other, file).unwrap();
}

#[test]
fn a_file_as_young_as_the_index_is_not_known_to_be_clean() {
    let sandbox = Sandbox::with(&[], &[("a.txt", "one\n")]);
    let (file, index) = (
        sandbox.root().join("a.txt"),
        sandbox.root().join(".git/index"),
    );
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    for (older, expected) in [(false, false), (true, true)] {
        let time = if older {
            written + std::time::Duration::from_secs(2)
        } else {
            written
        };
        fs::File::options()
            .write(true)
            .open(&index)
            .unwrap()
            .set_modified(time)
            .unwrap();
        let repo = sandbox.repo();
        let stat = repo.worktree().unwrap().stat(&path("a.txt")).unwrap();
        assert_eq!(
            repo.read_index()
                .unwrap()
                .is_clean(&repo, &path("a.txt"), &stat),
            expected
        );
    }
}

/// Writes all files and then the index, within one second.
fn in_one_second(sandbox: &Sandbox, names: &[&str]) {
    let root = sandbox.root();
    // A second that has just begun, so that all of them are in it. Not the one in which the files were made: git compares whole seconds,
    // and would keep the times that it noted of them then.
    let now = || {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.unwrap().as_secs()
    };
    let before = now();
    while now() == before {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    for name in names {
        let text = fs::read(root.join(name)).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    sandbox.git(&["update-index", "-q", "--really-refresh"]);
    pause();
    sandbox.git(&["update-index", "--force-write-index"]);
}

#[test]
fn of_a_young_index_only_what_may_differ_loses_its_size() {
    let names = [
        "same.txt",
        "sized.txt",
        "back.txt",
        "gone.txt",
        "edited.txt",
    ];
    let files = names.map(|name| (name, "one\n"));
    let sandbox = Sandbox::with(&[], &files);
    let root = sandbox.root();
    let change = || {
        for name in names {
            sandbox.write(name, "one\n");
        }
        in_one_second(&sandbox, &names);
        // Within the same second, and of the same size.
        sandbox.write("sized.txt", "two\n");
        let time = fs::metadata(root.join("back.txt")).unwrap().modified();
        fs::write(root.join("back.txt"), "two\n").unwrap();
        let back = fs::File::options().write(true).open(root.join("back.txt"));
        back.unwrap().set_modified(time.unwrap()).unwrap();
        fs::remove_file(root.join("gone.txt")).unwrap();
    };
    let sizes = || -> Vec<u32> {
        let entries = sandbox.repo().read_index().unwrap();
        let size = |name: &str| entries.file.find(name.as_bytes(), 0).unwrap().size();
        names.map(size).to_vec()
    };
    let write = || {
        let repo = sandbox.repo();
        let edit = IndexEdit {
            path: path("edited.txt"),
            entry: Some((
                FileMode::Regular,
                Id(sandbox.git(&["rev-parse", "HEAD:same.txt"])),
            )),
            stat: repo.worktree().unwrap().stat(&path("edited.txt")),
        };
        let bytes = written(
            &repo
                .read_index()
                .unwrap()
                .with(&repo, &[edit], None)
                .unwrap(),
        );
        fs::write(root.join(".git/index"), bytes).unwrap();
    };

    // What changes later in this very second must be seen, too: nothing is known yet. A slow machine may need another second.
    let second = |time: std::time::SystemTime| {
        let since = time.duration_since(std::time::UNIX_EPOCH);
        since.unwrap().as_secs()
    };
    let within_one = (0..20).find_map(|_| {
        change();
        let index = fs::read(root.join(".git/index")).unwrap();
        let stamp = fs::metadata(root.join(".git/index")).unwrap().modified();
        let begun = fs::metadata(root.join("same.txt")).unwrap().modified();
        write();
        let is_one = second(std::time::SystemTime::now()) == second(begun.unwrap());
        is_one.then_some((index, stamp))
    });
    let (index, stamp) = within_one.expect("the machine writes an index within a second");
    assert_eq!(sizes(), [0, 0, 0, 0, 4]);

    fs::write(root.join(".git/index"), index).unwrap();
    let put_back = fs::File::options()
        .write(true)
        .open(root.join(".git/index"));
    put_back.unwrap().set_modified(stamp.unwrap()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    write();
    assert_eq!(sizes(), [4, 0, 0, 0, 4]);
    let changed = sandbox.git(&["diff-files", "--name-only"]);
    assert_eq!(changed, "back.txt\ngone.txt\nsized.txt");
}

#[test]
fn which_trees_a_commit_made_is_known_at_once() {
    let files = [
        ("a/b/c.txt", "one\n"),
        ("a/d.txt", "two\n"),
        ("e/f.txt", "three\n"),
        ("g.txt", "four\n"),
    ];
    let sandbox = Sandbox::with(&[], &files);
    sandbox.write("a/b/c.txt", "new\n");
    sandbox.write("e/f.txt", "new\n");
    sandbox.git(&["commit", "-qam", "second"]);
    let blob = Id(sandbox.git(&["rev-parse", "HEAD:e/f.txt"]));
    let (before, after) = (
        Id(sandbox.git(&["rev-parse", "HEAD~1"])),
        Id(sandbox.git(&["rev-parse", "HEAD"])),
    );
    sandbox.git(&["read-tree", "HEAD"]);
    let expected = sandbox.repo().read_index().unwrap();
    let expected = expected.file.extension(b"TREE").unwrap().to_vec();
    sandbox.git(&["read-tree", "HEAD~1"]);
    let repo = sandbox.repo();
    let grown = GrownTrees::between(&repo, &before, &after).unwrap();
    let edit = |at: &str| IndexEdit {
        path: path(at),
        entry: Some((FileMode::Regular, blob.clone())),
        stat: None,
    };
    let edits = [edit("a/b/c.txt"), edit("e/f.txt")];
    let entries = repo.read_index().unwrap();
    let bytes = written(&entries.with(&repo, &edits, Some(&grown)).unwrap());
    let written = IndexFile::read(bytes, repo.hash_kind()).unwrap();
    assert_eq!(written.extension(b"TREE"), Some(&expected[..]));
}
