//! What a file looks like in the worktree and how it is stored: line endings, encodings, keywords, filters, Git LFS. A batch
//! edits the stored form; the other is git's own doing, and git finds nothing to do afterwards.

use serde_json::json;

use crate::support::Sandbox;
use crate::support::state::{EVERYWHERE, apply, edit, published, refused, status};

/// A filter that stores upper case and checks out lower case, in the protocol of long-running filters.
const PROCESS: &str = r#"import sys
def read():
    size = int(sys.stdin.buffer.read(4) or b"0000", 16)
    return sys.stdin.buffer.read(size - 4) if size > 4 else None
def until_flush():
    return list(iter(read, None))
def write(*packets):
    for packet in packets:
        sys.stdout.buffer.write(b"%04x" % (len(packet) + 4) + packet)
    sys.stdout.buffer.write(b"0000")
    sys.stdout.buffer.flush()
until_flush()
write(b"git-filter-server\n", b"version=2\n")
until_flush()
write(b"capability=clean\n", b"capability=smudge\n")
while head := until_flush():
    command = head[0].split(b"=")[1].strip()
    text = b"".join(until_flush())
    write(b"status=success\n")
    write(text.upper() if command == b"clean" else text.lower())
    write()
"#;

/// A way to look at a file: attributes, configuration, what is stored, what is checked out; then the same with the edit
/// made, `one` and `two` in upper case where the filter has it so.
struct Form {
    name: &'static str,
    attributes: &'static str,
    config: &'static [(&'static str, &'static str)],
    edit: (&'static str, &'static str),
    stored: [&'static str; 2],
    checked_out: [&'static [u8]; 2],
}

const LINES: [&str; 2] = ["one\nline\n", "two\nline\n"];
const UPPER: [&str; 2] = ["ONE\nLINE\n", "TWO\nLINE\n"];
const LF: [&[u8]; 2] = [b"one\nline\n", b"two\nline\n"];
const CRLF: [&[u8]; 2] = [b"one\r\nline\r\n", b"two\r\nline\r\n"];
const EDIT: (&str, &str) = ("one", "two");
const UPPER_EDIT: (&str, &str) = ("ONE", "TWO");

const FORMS: [Form; 10] = [
    Form {
        name: "autocrlf",
        attributes: "",
        config: &[("core.autocrlf", "true")],
        edit: EDIT,
        stored: LINES,
        checked_out: CRLF,
    },
    Form {
        name: "autocrlf input",
        attributes: "",
        config: &[("core.autocrlf", "input")],
        edit: EDIT,
        stored: LINES,
        checked_out: LF,
    },
    Form {
        name: "eol",
        attributes: "f.txt text eol=crlf",
        config: &[],
        edit: EDIT,
        stored: LINES,
        checked_out: CRLF,
    },
    Form {
        name: "core.eol",
        attributes: "f.txt text=auto",
        config: &[("core.eol", "crlf")],
        edit: EDIT,
        stored: LINES,
        checked_out: CRLF,
    },
    Form {
        name: "no text",
        attributes: "f.txt -text",
        config: &[("core.autocrlf", "true")],
        edit: EDIT,
        stored: LINES,
        checked_out: LF,
    },
    Form {
        name: "UTF-16",
        attributes: "f.txt text working-tree-encoding=UTF-16LE-BOM",
        config: &[],
        edit: EDIT,
        stored: ["one\né\n", "two\né\n"],
        checked_out: [
            b"\xff\xfeo\0n\0e\0\n\0\xe9\0\n\0",
            b"\xff\xfet\0w\0o\0\n\0\xe9\0\n\0",
        ],
    },
    Form {
        name: "driver",
        attributes: "f.txt filter=upper",
        config: &[
            ("filter.upper.clean", "tr a-z A-Z"),
            ("filter.upper.smudge", "tr A-Z a-z"),
        ],
        edit: UPPER_EDIT,
        stored: UPPER,
        checked_out: LF,
    },
    Form {
        name: "required driver and line endings",
        attributes: "f.txt filter=upper text eol=crlf",
        config: &[
            ("filter.upper.clean", "tr a-z A-Z"),
            ("filter.upper.smudge", "tr A-Z a-z"),
            ("filter.upper.required", "true"),
        ],
        edit: UPPER_EDIT,
        stored: UPPER,
        checked_out: CRLF,
    },
    Form {
        name: "process",
        attributes: "f.txt filter=upper",
        config: &[
            ("filter.upper.process", "python3 ../filter.py"),
            ("filter.upper.required", "true"),
        ],
        edit: UPPER_EDIT,
        stored: UPPER,
        checked_out: LF,
    },
    Form {
        name: "driver that fails and need not work",
        attributes: "f.txt filter=broken",
        config: &[
            ("filter.broken.clean", "false"),
            ("filter.broken.smudge", "false"),
        ],
        edit: EDIT,
        stored: LINES,
        checked_out: LF,
    },
];

fn made(form: &Form) -> Sandbox {
    let sandbox = Sandbox::unborn();
    std::fs::write(sandbox.aside().join("filter.py"), PROCESS).unwrap();
    for (name, value) in form.config {
        sandbox.git(&["config", name, value]);
    }
    sandbox.write(".gitattributes", format!("{}\n", form.attributes));
    sandbox.write("f.txt", form.checked_out[0]);
    sandbox.commit_all("first");
    // As a checkout would leave it.
    std::fs::remove_file(sandbox.repo().join("f.txt")).unwrap();
    sandbox.git(&["checkout", "-q", "--", "f.txt"]);
    assert_eq!(
        sandbox.git(&["show", "HEAD:f.txt"]) + "\n",
        form.stored[0],
        "{}",
        form.name
    );
    sandbox
}

fn file(sandbox: &Sandbox) -> Vec<u8> {
    std::fs::read(sandbox.repo().join("f.txt")).unwrap()
}

#[test]
fn every_form_is_gits_wherever_the_batch_goes() {
    for form in &FORMS {
        for destination in EVERYWHERE {
            let name = format!("{} {destination}", form.name);
            let sandbox = made(form);
            assert_eq!(file(&sandbox), form.checked_out[0], "{name}");
            published(
                &sandbox,
                edit(
                    &sandbox,
                    destination,
                    "f.txt",
                    form.edit.0,
                    form.edit.1,
                    &[],
                ),
            );
            let moved = matches!(destination, "commit" | "index" | "worktree");
            assert_eq!(
                file(&sandbox),
                form.checked_out[usize::from(moved)],
                "{name}"
            );
            let (revision, told) = match destination {
                "commit" => (Some("HEAD"), ""),
                "index" => (Some(""), "M  f.txt\n"),
                "cached" => (Some(""), "MM f.txt\n"),
                "worktree" => (None, " M f.txt\n"),
                _ => (Some("stash@{0}"), ""),
            };
            assert_eq!(status(&sandbox), told, "{name}");
            if let Some(revision) = revision {
                assert_eq!(
                    sandbox.git(&["show", &format!("{revision}:f.txt")]) + "\n",
                    form.stored[1],
                    "{name}"
                );
            }
            if destination == "stash" {
                sandbox.git(&["stash", "pop", "-q"]);
                assert_eq!(file(&sandbox), form.checked_out[1], "{name}");
            }
            // And what git itself makes of the file is what was stored.
            sandbox.git(&["add", "f.txt"]);
            let expected = usize::from(destination != "cached");
            assert_eq!(
                sandbox.git(&["show", ":f.txt"]) + "\n",
                form.stored[expected],
                "{name}"
            );
        }
    }
}

#[test]
fn a_new_file_is_checked_out_in_its_form() {
    for form in &FORMS {
        for destination in ["commit", "index", "worktree"] {
            let sandbox = made(form);
            sandbox.git(&["rm", "-q", "f.txt"]);
            sandbox.git(&["commit", "-q", "-m", "without"]);
            let operation = json!({"op": "create", "file": "f.txt", "content": form.stored[1]});
            published(&sandbox, apply(&sandbox, destination, &[operation], &[]));
            assert_eq!(
                file(&sandbox),
                form.checked_out[1],
                "{} {destination}",
                form.name
            );
            if destination == "commit" {
                assert_eq!(status(&sandbox), "", "{}", form.name);
            }
        }
    }
}

#[test]
fn a_keyword_is_expanded_by_git_alone() {
    for destination in EVERYWHERE {
        let sandbox = Sandbox::with(&[
            (".gitattributes", "f.txt ident\n"),
            ("f.txt", "$Id$\none\n"),
        ]);
        std::fs::remove_file(sandbox.repo().join("f.txt")).unwrap();
        sandbox.git(&["checkout", "-q", "--", "f.txt"]);
        let expanded = |id: &str, text: &str| format!("$Id: {id} $\n{text}\n");
        let old = sandbox.git(&["rev-parse", "HEAD:f.txt"]);
        assert_eq!(file(&sandbox), expanded(&old, "one").into_bytes());
        published(
            &sandbox,
            edit(&sandbox, destination, "f.txt", "one", "two", &[]),
        );
        let new =
            String::from_utf8(sandbox.git_with_input(&["hash-object", "--stdin"], b"$Id$\ntwo\n"))
                .unwrap();
        let moved = matches!(destination, "commit" | "index" | "worktree");
        let expected = match destination {
            // It edits the file's own bytes; the keyword is filled in by the next checkout.
            "worktree" => expanded(&old, "two"),
            _ if moved => expanded(new.trim(), "two"),
            _ => expanded(&old, "one"),
        };
        assert_eq!(
            String::from_utf8(file(&sandbox)).unwrap(),
            expected,
            "{destination}"
        );
        if destination == "commit" {
            assert_eq!(
                (sandbox.git(&["rev-parse", "HEAD:f.txt"]), status(&sandbox)),
                (new.trim().to_owned(), String::new())
            );
        }
    }
}

#[test]
fn a_filter_that_has_to_work_and_fails_refuses_what_needs_it() {
    let upper = FORMS
        .iter()
        .find(|form| form.name.starts_with("required"))
        .unwrap();
    let breaks: [&[(&str, &str)]; 4] = [
        &[("filter.upper.clean", "false")],
        &[("filter.upper.smudge", "false")],
        &[("filter.upper.clean", "nowhere-to-be-found-filter")],
        &[("filter.upper.process", "false")],
    ];
    for broken in breaks {
        for destination in EVERYWHERE {
            let sandbox = made(upper);
            for (name, value) in broken {
                sandbox.git(&["config", name, value]);
            }
            let act = || edit(&sandbox, destination, "f.txt", "ONE", "TWO", &[]);
            if matches!(destination, "cached" | "stash") && broken[0].0 == "filter.upper.smudge" {
                // Neither writes a file, and the other direction says that this is what git would store.
                let run = act();
                assert_eq!(run.exit, 0, "{broken:?} {destination}\n{run}");
                continue;
            }
            let why = refused(&sandbox, "io", 5, act);
            assert!(why.contains("f.txt"), "{why}");
        }
    }
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12\n";

#[test]
fn a_pointer_of_git_lfs_is_no_text() {
    let setups: [&[(&str, &str)]; 2] = [
        // A clone by somebody who never ran `git lfs install`: the pointer is what stands in the worktree.
        &[],
        // And one whose program is gone since.
        &[
            (
                "filter.lfs.process",
                "nowhere-to-be-found-lfs filter-process",
            ),
            ("filter.lfs.clean", "nowhere-to-be-found-lfs clean -- %f"),
            ("filter.lfs.smudge", "nowhere-to-be-found-lfs smudge -- %f"),
            ("filter.lfs.required", "true"),
        ],
    ];
    for setup in setups {
        let attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n";
        let sandbox = Sandbox::with(&[
            (".gitattributes", attributes),
            ("f.bin", POINTER),
            ("a.txt", "one\n"),
        ]);
        // A check starts nothing of a repository that nobody trusts.
        sandbox.git(&["config", "--global", "segedit.trust", "always"]);
        for (name, value) in setup {
            sandbox.git(&["config", name, value]);
        }
        for destination in EVERYWHERE {
            let (code, exit) = match (setup.is_empty(), destination) {
                // The file's own words would have to come from the program first.
                (false, "worktree") => ("io", 5),
                _ => ("unsupported-repository", 4),
            };
            let why = refused(&sandbox, code, exit, || {
                edit(&sandbox, destination, "f.bin", "size 12", "size 13", &[])
            });
            assert!(why.contains("lfs") || why.contains("LFS"), "{why}");
            let whole = json!({"op": "replace", "file": "f.bin", "content": "mine\n"});
            refused(&sandbox, code, exit, || {
                apply(&sandbox, destination, &[whole], &[])
            });
            let check = || {
                edit(
                    &sandbox,
                    destination,
                    "f.bin",
                    "size 12",
                    "size 13",
                    &["--mode", "verify_only"],
                )
            };
            refused(&sandbox, code, exit, check);
        }
        // To move it or to be rid of it needs no look inside.
        published(
            &sandbox,
            apply(
                &sandbox,
                "commit",
                &[json!({"op": "replace", "file": "a.txt", "content": "two\n"})],
                &[],
            ),
        );
        if setup.is_empty() {
            let operation = json!({"op": "rename_file", "file": "f.bin", "to": "g.bin"});
            published(&sandbox, apply(&sandbox, "commit", &[operation], &[]));
            published(
                &sandbox,
                apply(
                    &sandbox,
                    "commit",
                    &[json!({"op": "remove", "file": "g.bin"})],
                    &[],
                ),
            );
            assert_eq!(status(&sandbox), "");
        }
    }
}

/// A repository with a filter that stores each line with an `X` before it, and lets through on the way out what has none, as
/// those do that encrypt or keep files elsewhere. What is in `secrets/` is filtered.
fn encrypting() -> Sandbox {
    let sandbox = Sandbox::with(&[("plain.txt", "api = 4\n")]);
    sandbox.git(&["config", "--global", "segedit.trust", "always"]);
    for (key, value) in [
        ("clean", "sed s/^/X/"),
        ("smudge", "sed s/^X//"),
        ("required", "true"),
    ] {
        sandbox.git(&["config", &format!("filter.crypt.{key}"), value]);
    }
    sandbox.git(&["branch", "before"]);
    sandbox.write(".gitattributes", "secrets/** filter=crypt\n");
    sandbox.write("secrets/old.txt", "password = 1\n");
    sandbox.commit_all("a secret");
    assert_eq!(
        sandbox.git(&["show", "HEAD:secrets/old.txt"]),
        "Xpassword = 1"
    );
    sandbox
}

#[test]
fn what_a_filter_would_encrypt_is_never_published_in_the_clear() {
    let brings = [
        json!({"op": "create", "file": "secrets/new.txt", "content": "password = 2\n"}),
        json!({"op": "replace", "file": "secrets/old.txt", "content": "password = 3\n"}),
        json!({"op": "rename_file", "file": "plain.txt", "to": "secrets/moved.txt"}),
    ];
    let places: [(&str, &[&str]); 6] = [
        ("commit", &[]),
        ("commit", &["--branch", "new"]),
        ("commit", &["--dry-run"]),
        ("index", &[]),
        ("cached", &[]),
        ("stash", &[]),
    ];
    for (destination, more) in places {
        let sandbox = encrypting();
        for operation in &brings {
            let act = || apply(&sandbox, destination, std::slice::from_ref(operation), more);
            let why = refused(&sandbox, "unsupported-repository", 4, act);
            assert!(
                why.contains("filter `crypt`") && why.contains("secrets/"),
                "{why}"
            );
        }
    }
    // A file of the worktree holds what it is given, and `git add` runs the filter.
    let sandbox = encrypting();
    published(&sandbox, apply(&sandbox, "worktree", &brings[..1], &[]));
    sandbox.git(&["add", "secrets"]);
    assert_eq!(sandbox.git(&["show", ":secrets/new.txt"]), "Xpassword = 2");
    sandbox.git(&["commit", "-q", "-m", "new"]);
    // What is encrypted may move, and be given as it is stored.
    let moved = json!({"op": "rename_file", "file": "secrets/new.txt", "to": "secrets/moved.txt"});
    let stored =
        json!({"op": "create", "file": "secrets/stored.txt", "content": "Xpassword = 4\n"});
    published(&sandbox, apply(&sandbox, "commit", &[moved, stored], &[]));
    assert_eq!(
        sandbox.git(&["show", "HEAD:secrets/moved.txt"]),
        "Xpassword = 2"
    );
    assert_eq!(
        std::fs::read_to_string(sandbox.repo().join("secrets/stored.txt")).unwrap(),
        "password = 4\n"
    );
    assert_eq!(status(&sandbox), "");
}

#[test]
fn with_a_filter_that_is_its_own_way_back_nothing_is_published_in_the_clear() {
    let sandbox = encrypting();
    let swap = "tr A-Za-z N-ZA-Mn-za-m";
    sandbox.git(&["config", "filter.crypt.clean", swap]);
    sandbox.git(&["config", "filter.crypt.smudge", swap]);
    let brings = [
        json!({"op": "create", "file": "secrets/new.txt", "content": "password = 2\n"}),
        json!({"op": "rename_file", "file": "plain.txt", "to": "secrets/moved.txt"}),
    ];
    for operation in &brings {
        let act = || apply(&sandbox, "commit", std::slice::from_ref(operation), &[]);
        let why = refused(&sandbox, "unsupported-repository", 4, act);
        assert!(why.contains("filter `crypt`"), "{why}");
    }
}

#[test]
fn a_pattern_that_only_git_reads_names_a_filter_too() {
    let sandbox = encrypting();
    sandbox.write(".gitattributes", "\"my secrets/**\" filter=crypt\n");
    sandbox.write("my secrets/old.txt", "password = 1\n");
    sandbox.git(&["rm", "-q", "--cached", "secrets/old.txt"]);
    sandbox.commit_all("in quotes");
    assert_eq!(
        sandbox.git(&["show", "HEAD:my secrets/old.txt"]),
        "Xpassword = 1"
    );
    let secret = json!({"op": "create", "file": "my secrets/new.txt", "content": "password = 2\n"});
    for (destination, more) in [
        ("commit", &[][..]),
        ("commit", &["--branch", "new"]),
        ("index", &[]),
        ("cached", &[]),
    ] {
        let act = || apply(&sandbox, destination, std::slice::from_ref(&secret), more);
        let why = refused(&sandbox, "unsupported-repository", 4, act);
        assert!(why.contains("filter `crypt`"), "{why}");
    }
    // What is stored is edited, and the file stays plain.
    published(
        &sandbox,
        edit(&sandbox, "commit", "my secrets/old.txt", "1", "3", &[]),
    );
    assert_eq!(
        sandbox.git(&["show", "HEAD:my secrets/old.txt"]),
        "Xpassword = 3"
    );
    assert_eq!(
        std::fs::read_to_string(sandbox.repo().join("my secrets/old.txt")).unwrap(),
        "password = 3\n"
    );
    assert_eq!(status(&sandbox), "");
}

#[test]
fn the_attributes_of_what_is_published_count() {
    let secret = json!({"op": "create", "file": "secrets/new.txt", "content": "password = 2\n"});
    let refuses =
        |sandbox: &Sandbox, destination: &str, operations: &[serde_json::Value], more: &[&str]| {
            let act = || apply(sandbox, destination, operations, more);
            let why = refused(sandbox, "unsupported-repository", 4, act);
            assert!(why.contains("filter `crypt`"), "{why}");
        };
    // Those of another branch, which may have none.
    let sandbox = encrypting();
    published(
        &sandbox,
        apply(
            &sandbox,
            "commit",
            std::slice::from_ref(&secret),
            &["--branch", "before"],
        ),
    );
    sandbox.git(&["branch", "with"]);
    sandbox.git(&["checkout", "-q", "before"]);
    refuses(
        &sandbox,
        "commit",
        std::slice::from_ref(&secret),
        &["--branch", "with"],
    );
    let stored =
        json!({"op": "create", "file": "secrets/stored.txt", "content": "Xpassword = 4\n"});
    published(
        &sandbox,
        apply(&sandbox, "commit", &[stored], &["--branch", "with"]),
    );
    // Those that come with the batch.
    for destination in ["commit", "index", "cached", "stash"] {
        let sandbox = encrypting();
        let rules = json!({"op": "create", "file": "sub/.gitattributes", "content": "*.key filter=crypt\n"});
        let key = json!({"op": "create", "file": "sub/a.key", "content": "key = 5\n"});
        refuses(&sandbox, destination, &[rules.clone(), key.clone()], &[]);
        refuses(&sandbox, destination, &[key, rules], &[]);
    }
    // Those of a repository without a worktree.
    let bare = encrypting().copy_bare();
    for (key, value) in [("clean", "sed s/^/X/"), ("smudge", "sed s/^X//")] {
        bare.git(&["config", &format!("filter.crypt.{key}"), value]);
    }
    refuses(&bare, "commit", std::slice::from_ref(&secret), &[]);
    // A filter that fails elsewhere lets nothing through.
    bare.git(&["config", "filter.crypt.clean", "./tools/encrypt"]);
    refused(&bare, "io", 5, || {
        apply(&bare, "commit", std::slice::from_ref(&secret), &[])
    });
    // A driver that nobody has set up does nothing for git either.
    bare.git(&["config", "--remove-section", "filter.crypt"]);
    published(&bare, apply(&bare, "commit", &[secret], &[]));
}

#[test]
fn a_check_does_not_start_a_filter_to_find_out_what_is_stored() {
    let sandbox = encrypting();
    sandbox.git(&["config", "--global", "--unset", "segedit.trust"]);
    let secret = json!({"op": "create", "file": "secrets/new.txt", "content": "password = 2\n"});
    sandbox.git(&[
        "config",
        "filter.crypt.clean",
        &format!("touch {}; cat", sandbox.aside().join("ran").display()),
    ]);
    for branch in ["main", "new", "with"] {
        if branch == "with" {
            sandbox.git(&["branch", "with"]);
            sandbox.git(&["checkout", "-q", "--force", "before"]);
            let _ = std::fs::remove_file(sandbox.aside().join("ran"));
        }
        let act = || {
            apply(
                &sandbox,
                "commit",
                std::slice::from_ref(&secret),
                &["--branch", branch, "--dry-run"],
            )
        };
        refused(&sandbox, "config-untrusted", 4, act);
        assert!(!sandbox.aside().join("ran").exists(), "{branch}");
    }
}

#[test]
fn line_endings_that_git_would_not_store_are_not_brought() {
    let crlf = json!({"op": "create", "file": "new.txt", "content": "one\r\ntwo\r\n"});
    for destination in ["commit", "index", "cached", "stash"] {
        let sandbox = Sandbox::with(&[("old.txt", "one\r\n")]);
        sandbox.write(".gitattributes", "*.txt text eol=lf\n");
        sandbox.git(&["add", ".gitattributes"]);
        sandbox.git(&["commit", "-q", "-m", "attributes"]);
        sandbox.git(&["branch", "other"]);
        let why = refused(&sandbox, "unsupported-repository", 4, || {
            apply(&sandbox, destination, std::slice::from_ref(&crlf), &[])
        });
        assert!(why.contains("LF"), "{why}");
        if destination == "commit" {
            refused(&sandbox, "unsupported-repository", 4, || {
                apply(
                    &sandbox,
                    "commit",
                    std::slice::from_ref(&crlf),
                    &["--branch", "other"],
                )
            });
            // What was so before stays so.
            let edited = edit(
                &sandbox,
                "commit",
                "old.txt",
                "one",
                "1",
                &["--branch", "other"],
            );
            published(&sandbox, edited);
            assert_eq!(
                sandbox.git_with_input(&["show", "other:old.txt"], b""),
                b"1\r\n"
            );
        }
    }
    // Without a word about it, CRLF is a line ending like others.
    let sandbox = Sandbox::with(&[("a.txt", "one\n"), (".gitattributes", "*.txt diff\n")]);
    published(&sandbox, apply(&sandbox, "commit", &[crlf], &[]));
}
