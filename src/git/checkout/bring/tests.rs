//! What a checkout holds, beside what git itself checks out.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::sync::Mutex;

use super::*;
use crate::git::testing::{Sandbox, change, file, numbers, path};
use crate::git::{Object, ReadSource};
use crate::snapshot::FileMode;

/// Returns what a folder holds, a line each: the mode, the path, the content or where a link leads.
fn dump(folder: &Path) -> Vec<String> {
    fn walk(folder: &Path, prefix: &[u8], lines: &mut Vec<String>) {
        let mut empty = true;
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            empty = false;
            let name = [prefix, entry.file_name().as_bytes()].concat();
            let shown = String::from_utf8_lossy(&name).into_owned();
            let metadata = entry.path().symlink_metadata().unwrap();
            if metadata.is_dir() {
                walk(&entry.path(), &[&name[..], b"/"].concat(), lines);
            } else if metadata.is_symlink() {
                lines.push(format!(
                    "link {shown} {}",
                    fs::read_link(entry.path()).unwrap().display()
                ));
            } else {
                let mode = if metadata.mode() & 0o100 == 0 {
                    "file"
                } else {
                    "exec"
                };
                lines.push(format!(
                    "{mode} {shown} {:?}",
                    String::from_utf8_lossy(&fs::read(entry.path()).unwrap())
                ));
            }
        }
        if empty {
            lines.push(format!("none {}", String::from_utf8_lossy(prefix)));
        }
    }
    let mut lines = Vec::new();
    walk(folder, b"", &mut lines);
    lines.sort();
    lines
}

/// Takes a checkout, brings it to the tree of `revision` and returns it with the number of files that this took.
fn bring(repo: &Repo, revision: &str) -> (Checkout, usize) {
    let tree = repo.resolve_commit(revision).unwrap().1;
    let mut checkout = repo.checkout().unwrap();
    let count = checkout
        .bring_to(repo, &repo.quarantine().unwrap(), Some(&tree))
        .unwrap();
    (checkout, count)
}

const FILES: [(&str, &str); 4] = [
    ("a.txt", "one\n"),
    ("dir/b.txt", "bee\n"),
    ("dir/deep/c.txt", "sea\n"),
    ("dir/deep/d.txt", "dee\n"),
];

#[test]
fn from_tree_to_tree_as_if_laid_out_anew() {
    for format in ["sha1", "sha256"] {
        let sandbox = Sandbox::new(&[&format!("--object-format={format}")]);
        // Contents that are good targets of links as well.
        let blobs: Vec<String> = ["m", "zz/../..", "../d", "/etc/passwd"]
            .iter()
            .map(|text| sandbox.git_with_input(&["hash-object", "-w", "--stdin"], text.as_bytes()))
            .collect();
        let names: [&[u8]; 12] = [
            b"a",
            b"a/b",
            b"a/b/c",
            b"a/c",
            b"a.b",
            b"a-b/x",
            b"z/y/x/w",
            b"z/y/v",
            b"\xff\xfe",
            b"d/\xe9",
            b"m",
            b"zz",
        ];
        let modes = ["100644", "100755", "120000", "160000"];
        let mut random = numbers(11);
        let repo = sandbox.repo();
        let quarantine = repo.quarantine().unwrap();
        let mut moving = repo.checkout().unwrap();
        for round in 0..25 {
            let mut entries = BTreeMap::new();
            for name in names {
                if random(3) > 0 {
                    entries.insert(name.to_vec(), (modes[random(4)], blobs[random(4)].clone()));
                }
            }
            let tree = Id(sandbox.tree(&entries));
            moving.bring_to(&repo, &quarantine, Some(&tree)).unwrap();
            let mut fresh = repo.checkout().unwrap();
            CheckoutRecord::forget(&fresh.home);
            fresh.bring_to(&repo, &quarantine, Some(&tree)).unwrap();
            assert_eq!(dump(moving.folder()), dump(fresh.folder()), "round {round}");
            assert_eq!(moving.bring_to(&repo, &quarantine, Some(&tree)).unwrap(), 0);
        }
        moving.bring_to(&repo, &quarantine, None).unwrap();
        assert_eq!(dump(moving.folder()), ["none "]);
    }
}

#[test]
fn modes_links_submodules_and_names() {
    let sandbox = Sandbox::new(&[]);
    let blob =
        |text: &str| sandbox.git_with_input(&["hash-object", "-w", "--stdin"], text.as_bytes());
    let commit = "1234567890123456789012345678901234567890".to_owned();
    let entries = [
        (&b"plain"[..], "100644", blob("p")),
        (b"tool", "100755", blob("t")),
        (b"d/in", "120000", blob("../plain")),
        (b"d/out", "120000", blob("../../plain")),
        (b"d/abs", "120000", blob("/etc/passwd")),
        (b"mod", "160000", commit),
        (b"b\xff", "100644", blob("bytes")),
    ];
    let entries = entries
        .into_iter()
        .map(|(path, mode, id)| (path.to_vec(), (mode, id)))
        .collect();
    let tree = Id(sandbox.tree(&entries));
    let repo = sandbox.repo();
    let mut checkout = repo.checkout().unwrap();
    assert_eq!(
        checkout
            .bring_to(&repo, &repo.quarantine().unwrap(), Some(&tree))
            .unwrap(),
        7
    );
    let expected = [
        "exec tool \"t\"",
        "file b\u{fffd} \"bytes\"",
        "file d/abs \"/etc/passwd\"",
        "file d/out \"../../plain\"",
        "file plain \"p\"",
        "link d/in ../plain",
        "none mod/",
    ];
    assert_eq!(dump(checkout.folder()), expected);
    assert!(checkout.folder().join(folder::os_path(b"b\xff")).exists());
}

#[test]
fn what_no_checkout_may_write_is_left_out() {
    let sandbox = Sandbox::new(&[]);
    let blob = sandbox.git_with_input(&["hash-object", "-w", "--stdin"], b"evil");
    let raw = |entries: &[(&str, &str, &str)]| {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend(format!("{mode} {name}\0").bytes());
            bytes.extend(
                (0..40)
                    .step_by(2)
                    .map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()),
            );
        }
        sandbox.git_with_input(
            &["hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
            &bytes,
        )
    };
    let inner = raw(&[("100644", "x", &blob)]);
    let names = ["..", ".GIT", ".git", "git~1"];
    let mut entries: Vec<_> = names
        .iter()
        .map(|name| ("40000", *name, inner.as_str()))
        .collect();
    entries.push(("100644", "good", &blob));
    let tree = Id(raw(&entries));
    let repo = sandbox.repo();
    let mut checkout = repo.checkout().unwrap();
    assert_eq!(
        checkout
            .bring_to(&repo, &repo.quarantine().unwrap(), Some(&tree))
            .unwrap(),
        1
    );
    assert_eq!(dump(checkout.folder()), ["file good \"evil\""]);
    assert!(!checkout.home.join("x").exists());
    checkout.soil();
    assert_eq!(
        checkout
            .bring_to(&repo, &repo.quarantine().unwrap(), Some(&tree))
            .unwrap(),
        0
    );
}

#[test]
fn the_next_batch_costs_what_it_changes() {
    let many: Vec<(String, String)> = (0..300)
        .map(|n| (format!("d{}/f{n}.txt", n % 7), format!("{n}\n")))
        .collect();
    let many: Vec<(&str, &str)> = many
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let sandbox = Sandbox::with(&[], &many);
    let (checkout, count) = bring(&sandbox.repo(), "HEAD");
    assert_eq!(count, 300);
    let untouched = checkout.folder().join("d1/f1.txt").metadata().unwrap();
    drop(checkout);
    // A candidate of another process, refused: its tree is nowhere by now.
    let candidate = |old: &str, new: &str| {
        let repo = sandbox.repo();
        let head = repo.resolve_commit("HEAD").unwrap().1;
        let (tree, objects) = repo
            .tree_with(Some(&head), &[change("d2/f2.txt", Some(old), Some(new))])
            .unwrap();
        let quarantine = repo.quarantine().unwrap();
        quarantine.write(&objects).unwrap();
        let mut checkout = repo.checkout().unwrap();
        let count = checkout.bring_to(&repo, &quarantine, Some(&tree)).unwrap();
        assert_eq!(
            fs::read_to_string(checkout.folder().join("d2/f2.txt")).unwrap(),
            new
        );
        checkout.soil();
        count
    };
    assert_eq!(candidate("2\n", "two\n"), 1);
    assert_eq!(candidate("2\n", "deux\n"), 1);
    let (checkout, count) = bring(&sandbox.repo(), "HEAD");
    assert_eq!(count, 1);
    let now = checkout.folder().join("d1/f1.txt").metadata().unwrap();
    assert_eq!(
        (now.ino(), now.mtime_nsec()),
        (untouched.ino(), untouched.mtime_nsec()),
        "not written again"
    );
    assert!(
        CheckoutRecord::read(&checkout.home)
            .unwrap()
            .trees
            .is_empty(),
        "the repository has this one"
    );
}

#[test]
fn what_programs_did_is_undone() {
    type Deed = fn(&Path);
    let cases: [(&str, Deed, usize); 18] = [
        ("nothing", |_| {}, 0),
        (
            "a file rewritten",
            |at| fs::write(at.join("a.txt"), "eno\n").unwrap(),
            1,
        ),
        (
            "and dated back",
            |at| {
                let old = at.join("a.txt").metadata().unwrap().modified().unwrap();
                fs::write(at.join("a.txt"), "eno\n").unwrap();
                fs::File::options()
                    .write(true)
                    .open(at.join("a.txt"))
                    .unwrap()
                    .set_modified(old)
                    .unwrap();
            },
            1,
        ),
        (
            "the same written again",
            |at| fs::write(at.join("a.txt"), "one\n").unwrap(),
            0,
        ),
        (
            "a file deleted",
            |at| fs::remove_file(at.join("dir/deep/c.txt")).unwrap(),
            1,
        ),
        (
            "a file added",
            |at| fs::write(at.join("dir/new"), "x").unwrap(),
            1,
        ),
        (
            "a folder added",
            |at| {
                fs::create_dir_all(at.join("dir/__pycache__/deeper")).unwrap();
                fs::write(at.join("dir/__pycache__/deeper/x"), "x").unwrap();
            },
            1,
        ),
        (
            "an empty folder added",
            |at| fs::create_dir(at.join("empty")).unwrap(),
            1,
        ),
        (
            "a folder deleted",
            |at| fs::remove_dir_all(at.join("dir")).unwrap(),
            3,
        ),
        (
            "a folder exchanged for a link",
            |at| {
                fs::rename(at.join("dir"), at.parent().unwrap().join("elsewhere")).unwrap();
                symlink(at.parent().unwrap().join("elsewhere"), at.join("dir")).unwrap();
            },
            4,
        ),
        (
            "a file exchanged for a folder",
            |at| {
                fs::remove_file(at.join("a.txt")).unwrap();
                fs::create_dir(at.join("a.txt")).unwrap();
                fs::write(at.join("a.txt/x"), "x").unwrap();
            },
            1,
        ),
        (
            "a file exchanged for a link",
            |at| {
                fs::remove_file(at.join("a.txt")).unwrap();
                symlink("dir/b.txt", at.join("a.txt")).unwrap();
            },
            1,
        ),
        (
            "two files exchanged",
            |at| {
                fs::rename(at.join("a.txt"), at.join("x")).unwrap();
                fs::rename(at.join("dir/b.txt"), at.join("a.txt")).unwrap();
                fs::rename(at.join("x"), at.join("dir/b.txt")).unwrap();
            },
            2,
        ),
        (
            "folders exchanged",
            |at| {
                fs::rename(at.join("dir"), at.join("x")).unwrap();
                fs::rename(at.join("same"), at.join("dir")).unwrap();
                fs::rename(at.join("x"), at.join("same")).unwrap();
            },
            6,
        ),
        (
            "a mode",
            |at| fs::set_permissions(at.join("a.txt"), fs::Permissions::from_mode(0o755)).unwrap(),
            1,
        ),
        (
            "a mode taken",
            |at| fs::set_permissions(at.join("a.txt"), fs::Permissions::from_mode(0o000)).unwrap(),
            1,
        ),
        (
            "a folder locked",
            |at| fs::set_permissions(at.join("dir"), fs::Permissions::from_mode(0o000)).unwrap(),
            0,
        ),
        (
            "a locked folder added",
            |at| {
                fs::create_dir_all(at.join("x/y")).unwrap();
                fs::write(at.join("x/y/z"), "").unwrap();
                fs::set_permissions(at.join("x/y"), fs::Permissions::from_mode(0o000)).unwrap();
                fs::set_permissions(at.join("x"), fs::Permissions::from_mode(0o500)).unwrap();
            },
            1,
        ),
    ];
    // The same name, and no way to tell by it which folder is which.
    let sandbox = Sandbox::with(&[], &[&FILES[..], &[("same/b.txt", "wasp\n")]].concat());
    let (checkout, _) = bring(&sandbox.repo(), "HEAD");
    let expected = dump(checkout.folder());
    drop(checkout);
    for (name, deed, expected_count) in cases {
        let (mut checkout, count) = bring(&sandbox.repo(), "HEAD");
        assert_eq!(count, 0, "before {name}");
        deed(checkout.folder());
        checkout.soil();
        drop(checkout);
        let (checkout, count) = bring(&sandbox.repo(), "HEAD");
        assert_eq!(dump(checkout.folder()), expected, "{name}");
        // The links and folders that stand in the place of a file are that file's.
        assert_eq!(count, expected_count, "{name}");
        let _ = fs::remove_dir_all(checkout.home.join("elsewhere"));
    }
}

#[test]
fn undoing_and_moving_on_go_together() {
    let sandbox = Sandbox::with(&[], &FILES);
    sandbox.git(&["rm", "-q", "-r", "dir/deep"]);
    sandbox.write("a.txt", "two\n");
    sandbox.write("dir/deep", "flat\n");
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["commit", "-qm", "second"]);
    let (mut checkout, _) = bring(&sandbox.repo(), "HEAD~1");
    let at = checkout.folder().to_owned();
    fs::write(at.join("a.txt"), "dirt\n").unwrap();
    fs::write(at.join("dir/b.txt"), "dirt\n").unwrap();
    fs::remove_file(at.join("dir/deep/c.txt")).unwrap();
    fs::write(at.join("dir/deep/dirt"), "dirt\n").unwrap();
    checkout.soil();
    drop(checkout);
    let (checkout, _) = bring(&sandbox.repo(), "HEAD");
    assert_eq!(
        dump(checkout.folder()),
        [
            "file a.txt \"two\\n\"",
            "file dir/b.txt \"bee\\n\"",
            "file dir/deep \"flat\\n\""
        ]
    );
}

#[test]
fn whatever_does_not_fit_is_laid_out_anew() {
    type Spoil = fn(&Sandbox, &Path);
    let spoils: [(&str, Spoil); 6] = [
        ("unfinished", |_, home| {
            fs::remove_file(home.join("state")).unwrap()
        }),
        ("torn", |_, home| {
            fs::write(home.join("state"), "{").unwrap()
        }),
        ("of another format", |_, home| {
            let state = fs::read_to_string(home.join("state")).unwrap();
            fs::write(
                home.join("state"),
                state.replace("\"format\":1", "\"format\":0"),
            )
            .unwrap();
        }),
        ("of a tree that is gone", |_, home| {
            let mut record = CheckoutRecord::read(home).unwrap();
            record.tree = Some(Id("1234567890123456789012345678901234567890".to_owned()));
            record.write(home).unwrap();
        }),
        ("without its files", |_, home| {
            fs::remove_dir_all(home.join("files")).unwrap()
        }),
        ("under other settings", |sandbox, _| {
            drop(sandbox.git(&["config", "core.autocrlf", "true"]))
        }),
    ];
    for (name, spoil) in spoils {
        let sandbox = Sandbox::with(&[], &FILES);
        let (checkout, _) = bring(&sandbox.repo(), "HEAD");
        let home = checkout.home.clone();
        fs::write(home.join("files/dirt"), "dirt").unwrap();
        drop(checkout);
        spoil(&sandbox, &home);
        let (checkout, count) = bring(&sandbox.repo(), "HEAD");
        assert_eq!((count, dump(checkout.folder()).len()), (4, 4), "{name}");
    }
}

#[test]
fn content_is_what_git_checks_out() {
    type Setup = fn(&Sandbox);
    let cases: [(&str, &str, Setup); 9] = [
        ("no attributes", "", |_| {}),
        (
            "words that change nothing",
            "* text=auto eol=lf\n*.png binary\n",
            |_| {},
        ),
        ("CRLF by attribute", "*.txt text eol=crlf\n", |_| {}),
        ("CRLF by configuration", "", |sandbox| {
            drop(sandbox.git(&["config", "core.autocrlf", "true"]))
        }),
        ("a filter", "*.txt filter=shout\n", |sandbox| {
            sandbox.git(&["config", "filter.shout.smudge", "tr a-z A-Z"]);
            sandbox.git(&["config", "filter.shout.clean", "tr A-Z a-z"]);
        }),
        (
            "a filter that nobody configured",
            "*.txt filter=lfs\n",
            |_| {},
        ),
        (
            "an encoding",
            "*.txt working-tree-encoding=UTF-16LE\n",
            |_| {},
        ),
        ("a keyword", "*.txt ident\n", |_| {}),
        ("attributes of the repository's own", "", |sandbox| {
            fs::create_dir_all(sandbox.root().join(".git/info")).unwrap();
            fs::write(
                sandbox.root().join(".git/info/attributes"),
                "a.txt eol=crlf\n",
            )
            .unwrap();
        }),
    ];
    for (name, attributes, setup) in cases {
        let sandbox = Sandbox::with(
            &[],
            &[&FILES[..], &[("dir/id.txt", "$Id$\n"), ("x.bin", "b\n")]].concat(),
        );
        sandbox.write(".gitattributes", attributes);
        // Nearer ones win.
        sandbox.write(
            "dir/deep/.gitattributes",
            "d.txt -text -filter -ident !working-tree-encoding !eol\n",
        );
        sandbox.git(&["add", ".gitattributes", "dir/deep/.gitattributes"]);
        sandbox.git(&["update-index", "--chmod=+x", "dir/b.txt"]);
        sandbox.git(&["commit", "-qm", "attributes"]);
        setup(&sandbox);
        let check = |revision: &str| {
            let linked = sandbox.beside("linked");
            sandbox.git(&[
                "worktree",
                "add",
                "-q",
                "--detach",
                linked.to_str().unwrap(),
                revision,
            ]);
            fs::remove_file(linked.join(".git")).unwrap();
            let (mut checkout, count) = bring(&sandbox.repo(), revision);
            assert_eq!(dump(checkout.folder()), dump(&linked), "{name} {revision}");
            fs::write(checkout.folder().join("dir/b.txt"), "dirt").unwrap();
            fs::write(
                checkout.folder().join("dir/deep/.gitattributes"),
                "* eol=crlf\n",
            )
            .unwrap();
            fs::write(checkout.folder().join("dir/.gitattributes"), "* eol=crlf\n").unwrap();
            checkout.soil();
            drop(checkout);
            let (checkout, _) = bring(&sandbox.repo(), revision);
            assert_eq!(
                dump(checkout.folder()),
                dump(&linked),
                "{name} {revision}, mended"
            );
            drop(checkout);
            fs::remove_dir_all(&linked).unwrap();
            sandbox.git(&["worktree", "prune"]);
            count
        };
        assert_eq!(check("HEAD"), 8, "{name}");
        sandbox.git(&["commit", "-qm", "edit", "--allow-empty"]);
        let blob = sandbox.git_with_input(&["hash-object", "-w", "--stdin"], b"word\nline\n");
        sandbox.git(&[
            "update-index",
            "--cacheinfo",
            &format!("100644,{blob},a.txt"),
        ]);
        sandbox.git(&["commit", "-qm", "edit"]);
        assert_eq!(check("HEAD"), 1, "{name}: one file changed");
        // Without any attributes: all files anew, because each may look different now.
        sandbox.git(&["rm", "-q", "--cached", ".gitattributes"]);
        sandbox.git(&["commit", "-qm", "without"]);
        assert_eq!(check("HEAD"), 7, "{name}: attributes changed");
    }
}

#[test]
fn nobody_shares_a_checkout() {
    let sandbox = Sandbox::with(&[], &FILES);
    let taken = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (repo, taken) = (sandbox.repo(), &taken);
            scope.spawn(move || {
                for round in 0..6 {
                    let (mut checkout, _) = bring(&repo, "HEAD");
                    assert!(
                        taken.lock().unwrap().insert(checkout.folder().to_owned()),
                        "shared"
                    );
                    let mine = format!("{thread} {round}\n");
                    fs::write(checkout.folder().join("a.txt"), &mine).unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(3));
                    assert_eq!(
                        fs::read_to_string(checkout.folder().join("a.txt")).unwrap(),
                        mine
                    );
                    checkout.soil();
                    taken.lock().unwrap().remove(checkout.folder());
                }
            });
        }
    });
    let shelf = fs::read_dir(sandbox.beside("cache"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let kept = fs::read_dir(shelf.join("checkouts")).unwrap().count();
    assert!(kept <= MOST_KEPT, "{kept}");
}

#[test]
fn other_processes_keep_away_too() {
    const NAME: &str = "git::checkout::bring::tests::other_processes_keep_away_too";
    if let Some(folder) = crate::git::testing::child_folder() {
        let checkout = Repo::open(&folder).unwrap().checkout().unwrap();
        return fs::write(
            folder.join("taken"),
            checkout.folder().as_os_str().as_bytes(),
        )
        .unwrap();
    }
    let sandbox = Sandbox::with(&[], &FILES);
    let mine = sandbox.repo().checkout().unwrap();
    crate::git::testing::run(&mut crate::git::testing::child(NAME, sandbox.root()));
    assert_ne!(Path::new(&sandbox.read("taken")), mine.folder());
    let first = mine.folder().to_owned();
    drop(mine);
    crate::git::testing::run(&mut crate::git::testing::child(NAME, sandbox.root()));
    assert_eq!(Path::new(&sandbox.read("taken")), first, "given back");
}

#[test]
fn bare_linked_and_partial_repositories() {
    let sandbox = Sandbox::with(&[], &FILES);
    let expected = dump(bring(&sandbox.repo(), "HEAD").0.folder());

    let bare = Repo::open(&sandbox.bare_clone()).unwrap();
    assert_eq!(dump(bring(&bare, "HEAD").0.folder()), expected);
    fs::create_dir_all(bare.common_dir().join("info")).unwrap();
    fs::write(bare.common_dir().join("info/attributes"), "* eol=crlf\n").unwrap();
    let bare = Repo::open(bare.git_dir()).unwrap();
    assert!(
        dump(bring(&bare, "HEAD").0.folder())
            .iter()
            .all(|line| line.ends_with("\\r\\n\""))
    );

    let linked = sandbox.beside("linked");
    sandbox.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        linked.to_str().unwrap(),
    ]);
    let (checkout, count) = bring(&Repo::open(&linked).unwrap(), "HEAD");
    assert_eq!(
        (count, dump(checkout.folder())),
        (0, expected.clone()),
        "shared by all worktrees"
    );

    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    for (name, filter) in [
        ("blobless", "--filter=blob:none"),
        ("treeless", "--filter=tree:0"),
    ] {
        let clone = sandbox.beside(name);
        let url = format!("file://{}", sandbox.root().display());
        sandbox.git(&[
            "clone",
            "-q",
            filter,
            "--no-checkout",
            &url,
            clone.to_str().unwrap(),
        ]);
        assert_eq!(
            dump(bring(&Repo::open(&clone).unwrap(), "HEAD").0.folder()),
            expected,
            "{name}"
        );
    }
}

#[test]
fn an_index_of_the_files_is_clean_and_cheap() {
    let sandbox = Sandbox::with(&[], &FILES);
    let repo = sandbox.repo();
    let quarantine = repo.quarantine().unwrap();
    let (mut checkout, _) = bring(&repo, "HEAD");
    let head = repo.resolve_commit("HEAD").unwrap().1;
    let clean = |checkout: &Checkout, index: &Path| {
        let git = quarantine
            .program(&repo)
            .with("GIT_INDEX_FILE", index)
            .within(checkout.folder());
        git.run(&["diff-files", "--name-only"]).unwrap().stdout
    };
    let index = checkout.index(&repo, &quarantine, &head).unwrap();
    assert_eq!(clean(&checkout, &index), b"");
    let (tree, objects) = repo
        .tree_with(
            Some(&head),
            &[change("a.txt", Some("one\n"), Some("two\n"))],
        )
        .unwrap();
    quarantine.write(&objects).unwrap();
    checkout.bring_to(&repo, &quarantine, Some(&tree)).unwrap();
    let index = checkout.index(&repo, &quarantine, &tree).unwrap();
    assert_eq!(clean(&checkout, &index), b"");
    fs::write(&index, "torn").unwrap();
    let index = checkout.index(&repo, &quarantine, &tree).unwrap();
    assert_eq!(clean(&checkout, &index), b"");
    assert!(!sandbox.root().join(".git/index.lock").exists());
}

#[test]
fn single_files_in_the_form_of_a_checkout() {
    let sandbox = Sandbox::with(
        &[],
        &[
            (".gitattributes", "*.txt eol=crlf\n"),
            ("dir/b.txt", "bee\n"),
        ],
    );
    let repo = sandbox.repo();
    let quarantine = repo.quarantine().unwrap();
    let tree = repo.resolve_commit("HEAD").unwrap().1;
    let mut tool = file("#!/bin/sh\n");
    tool.mode = FileMode::Executable;
    let files = [(path("dir/b.txt"), file("new\n")), (path("bin/tool"), tool)];
    let folder = sandbox.beside("folder");
    fs::create_dir(&folder).unwrap();
    repo.lay_out(&quarantine, &folder, &files, &[], Some(&tree))
        .unwrap();
    assert_eq!(
        dump(&folder),
        [
            "exec bin/tool \"#!/bin/sh\\n\"",
            "file dir/b.txt \"new\\r\\n\""
        ]
    );
    repo.lay_out(&quarantine, &folder, &files, &[], None)
        .unwrap();
    assert_eq!(
        dump(&folder),
        [
            "exec bin/tool \"#!/bin/sh\\n\"",
            "file dir/b.txt \"new\\n\""
        ]
    );
    // A file of attributes that only lies there has nothing to say.
    let objects: Vec<Object> = Vec::new();
    quarantine.write(&objects).unwrap();
    fs::write(folder.join(".gitattributes"), "* ident\n").unwrap();
    repo.lay_out(
        &quarantine,
        &folder,
        &[(path("x.txt"), file("$Id$\n"))],
        &[],
        Some(&tree),
    )
    .unwrap();
    assert_eq!(
        fs::read_to_string(folder.join("x.txt")).unwrap(),
        "$Id$\r\n"
    );
    let source = ReadSource::Unborn { tree: Some(tree) };
    assert!(repo.has_file(&source, &path("dir/b.txt")).unwrap());
}
