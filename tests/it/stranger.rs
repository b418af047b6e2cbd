//! Git folders that a stranger made, as an archive or another repository's files may bring them: whatever stands in them, no file
//! outside of the worktree and the program's own folders changes, and no program starts for whoever only reads or checks.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::Run;
use crate::support::Sandbox;
use crate::support::stranger::{A, DRY_RUNS, READERS, Victim, WRITERS, harms_nobody, inode};

/// Returns a site of a journal whose index's lock is ours by its inode.
fn site(worktree: &Path, index: &Path, lock: &Path, stage: Option<&Path>) -> Value {
    let lock = json!({"path": lock, "inode": inode(lock)});
    json!({"worktree": worktree, "index": index, "lock": lock, "stage": stage, "steps": []})
}

#[test]
fn a_journal_names_no_index_but_the_worktrees_own() {
    type Index = fn(&Victim) -> PathBuf;
    let rows: [(&str, Index); 4] = [
        ("absolute", |victim| victim.treasure.join("bashrc")),
        ("relative", |_| PathBuf::from("../treasure/bashrc")),
        ("with a detour", |victim| {
            victim.git_folder().join("../../treasure/bashrc")
        }),
        ("called index", |victim| victim.treasure.join("index")),
    ];
    for (what, index) in rows {
        let victim = Victim::new();
        let payload = victim.home().join("payload");
        fs::write(&payload, "evil\n").unwrap();
        let pivot = json!({"ref": {"name": "refs/heads/main", "new": victim.tip()}});
        victim.plant(
            &pivot,
            &Value::Null,
            &[site(
                &victim.sandbox.repo(),
                &index(&victim),
                &payload,
                None,
            )],
        );
        victim.run_all(&victim.sandbox.repo(), what);
        assert!(
            victim.home().join("journal.refused").exists(),
            "{what}: it is set aside"
        );
    }
}

#[test]
fn a_journal_names_no_lock_and_no_stage_of_others() {
    let victim = Victim::new();
    let (repo, treasure) = (victim.sandbox.repo(), victim.treasure.clone());
    let index = victim.git_folder().join("index");
    let tip = victim.tip();
    let moved = json!({"ref": {"name": "refs/heads/main", "new": tip}});
    let lock = |path: &Path| json!({"path": path, "inode": inode(path)});
    let own = |stage: Value| json!({"worktree": repo, "index": index, "lock": null, "stage": stage, "steps": []});
    let stage = treasure.join(".segedit-Ab3");
    let rows: Vec<(&str, Value, Value, Vec<Value>)> = vec![
        (
            "lock of an index",
            json!("journal"),
            Value::Null,
            vec![site(&repo, &index, &treasure.join("bashrc"), None)],
        ),
        (
            "lock of a ref",
            json!("journal"),
            lock(&treasure.join("bashrc")),
            vec![],
        ),
        (
            "lock of a ref that moves",
            moved.clone(),
            lock(&treasure.join("refs/heads/main.lock")),
            vec![],
        ),
        (
            "ref that leads out",
            json!({"ref": {"name": "refs/heads/../../../../treasure/refs/heads/main", "new": tip}}),
            lock(&treasure.join("refs/heads/main.lock")),
            vec![],
        ),
        (
            "stage",
            json!("journal"),
            Value::Null,
            vec![own(json!(stage))],
        ),
        (
            "stage with a detour",
            json!("journal"),
            Value::Null,
            vec![own(json!(repo.join("../treasure/.segedit-Ab3")))],
        ),
        (
            "worktree",
            json!("journal"),
            Value::Null,
            vec![site(
                &treasure,
                &treasure.join("index"),
                &treasure.join("index.lock"),
                Some(&stage),
            )],
        ),
        (
            "step",
            json!("journal"),
            Value::Null,
            vec![
                json!({"worktree": repo, "index": index, "lock": null, "stage": null,
                "steps": [{"path": "../treasure/bashrc", "old": null, "new": null}]}),
            ],
        ),
        (
            "the same twice",
            json!("journal"),
            Value::Null,
            vec![own(Value::Null), own(Value::Null)],
        ),
    ];
    for (what, pivot, ref_lock, sites) in rows {
        victim.plant(&pivot, &ref_lock, &sites);
        let before = victim.belongings();
        for args in READERS {
            let run = victim.run_in(&repo, args);
            assert!(
                run.exit == 0 && victim.belongings() == before,
                "{what}: {run}"
            );
        }
        assert!(
            victim.home().join("journal").exists(),
            "{what}: a reader leaves it"
        );
        let run = victim.run_in(&repo, &["recover", "--format", "json"]);
        assert_eq!(run.json()["recovered"], "set_aside", "{what}: {run}");
        assert!(victim.belongings() == before, "{what}");
    }
}

#[test]
fn a_seal_that_is_not_ours_stops_a_journal_that_is_right_otherwise() {
    let victim = Victim::new();
    let repo = victim.sandbox.repo();
    // Only where there is a key can a seal be told from another.
    let run = victim.run_in(
        &repo,
        &[
            "replace",
            "b.py::second",
            "--content",
            "def second(): ...",
            "--branch",
            "first",
        ],
    );
    assert_eq!(run.exit, 0, "{run}");
    let lock = victim.git_folder().join("index.lock");
    fs::write(&lock, "").unwrap();
    let index = victim.git_folder().join("index");
    let record = json!({"version": 2, "pivot": "journal", "ref_lock": null, "sites": [site(&repo, &index, &lock, None)]});
    let journal = victim.home().join("journal");
    // An unsealed one may be from an earlier version: whoever reads leaves it, whoever publishes finishes what it says.
    fs::write(&journal, record.to_string()).unwrap();
    victim.run_in(&repo, &["outline", "a.py"]);
    assert!(journal.exists() && lock.exists());
    let run = victim.run_in(&repo, &["recover", "--format", "json"]);
    assert_eq!(run.json()["recovered"], "rolled_back", "{run}");
    assert!(!journal.exists() && !lock.exists());
    fs::write(&lock, "").unwrap();
    let record = json!({"version": 2, "pivot": "journal", "ref_lock": null, "sites": [site(&repo, &index, &lock, None)]});
    fs::write(&journal, format!("{record}\n{}\n", "0".repeat(64))).unwrap();
    let run = victim.run_in(
        &repo,
        &[
            "replace",
            "a.py::first",
            "--content",
            "def first(): ...",
            "--branch",
            "other",
        ],
    );
    assert!(run.exit == 0 && run.err().contains("seal"), "{run}");
    assert!(lock.exists() && victim.home().join("journal.refused").exists());
}

#[test]
fn an_embedded_repository_that_a_clone_brings_changes_nothing() {
    let victim = Victim::new();
    // Ordinary tracked content: a bare repository with a journal in it that names any inode.
    let inner = victim.sandbox.repo().join("emb");
    victim.sandbox.shell(
        "git clone -q --bare . emb && rm -rf emb/hooks && mkdir -p emb/refs/heads emb/segedit && touch emb/refs/keep",
    );
    let payload = inner.join("segedit/payload");
    fs::write(&payload, "evil\n").unwrap();
    let index = victim.treasure.join("bashrc");
    let lock = json!({"path": "segedit/payload", "inode": inode(&payload)});
    let sites: Vec<Value> = ["/", "."]
        .iter()
        .map(|worktree| json!({"worktree": worktree, "index": index, "lock": lock, "stage": null, "steps": []}))
        .collect();
    let pivot = json!({"ref": {"name": "refs/heads/main", "new": victim.tip()}});
    let journal = json!({"version": 1, "pivot": pivot, "ref_lock": null, "sites": sites});
    fs::write(inner.join("segedit/journal"), journal.to_string()).unwrap();
    victim.run_all(&inner, "embedded");
}

/// A folder among a clone's files may be a git folder that shares another's objects, and say where its worktree is: to git it has
/// none.
#[test]
fn a_git_folder_among_the_files_of_a_clone_names_no_worktree() {
    for (name, shared) in [
        ("with its own objects", "common"),
        ("with those around it", "../.git"),
    ] {
        let victim = Victim::new();
        let repo = victim.sandbox.repo();
        fs::write(victim.treasure.join("a.py"), A).unwrap();
        let line = "git clone -q --bare . bare && mkdir -p emb/refs emb/objects && mv bare emb/common && cp .git/index emb \
                    && git -C emb/common config core.bare false && echo 'ref: refs/heads/main' >emb/HEAD";
        assert_eq!(victim.sandbox.shell(line).exit, 0);
        let inner = repo.join("emb");
        fs::write(inner.join("commondir"), format!("{shared}\n")).unwrap();
        fs::write(
            inner.join("gitdir"),
            format!("{}\n", victim.treasure.join(".git").display()),
        )
        .unwrap();
        let status = victim.sandbox.run(
            victim
                .sandbox
                .program("git")
                .arg("status")
                .current_dir(&inner),
            b"",
        );
        assert!(
            status.err().contains("must be run in a work tree"),
            "{name}: {status}"
        );
        victim.run_all(&inner, name);
        for destination in ["worktree", "index", "cached"] {
            let edit = [
                "replace",
                "a.py::first",
                "--content",
                "def first(): return 7",
                "--destination",
                destination,
            ];
            let run = victim.run_in(&inner, &edit);
            assert_eq!(run.exit, 4, "{name}: {run}");
        }
        assert_eq!(
            fs::read_to_string(victim.treasure.join("a.py")).unwrap(),
            A,
            "{name}"
        );
    }
}

#[test]
fn links_in_the_git_folder_lead_nowhere() {
    let rows: [(&str, &str); 16] = [
        ("segedit", ""),
        ("segedit/lock", "old"),
        ("segedit/lock", "fresh"),
        ("segedit/journal", "bashrc"),
        ("segedit/journal.new", "bashrc"),
        ("segedit/cache", ""),
        ("segedit/cache/newest", "newest"),
        ("segedit/intents", ""),
        ("segedit/intents/x", "bashrc"),
        ("segedit/drafts", ""),
        ("segedit/drafts/orders.yaml", "bashrc"),
        ("segedit/drafts/orders.yaml.new", "bashrc"),
        ("segedit/drafts/orders.lock", "lock"),
        ("segedit/findings", ""),
        ("segedit/.segedit-Ab3", ""),
        ("segedit/packed-refs.new", "bashrc"),
    ];
    for (link, target) in rows {
        let victim = Victim::new();
        let place = victim.git_folder().join(link);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        symlink(victim.treasure.join(target), &place).unwrap();
        victim.run_all(&victim.sandbox.repo(), link);
    }
    let victim = Victim::new();
    symlink(&victim.treasure, victim.git_folder().join("segedit")).unwrap();
    let run = victim.run_in(&victim.sandbox.repo(), WRITERS[0]);
    assert!(
        run.exit == 4 && run.err().contains("link") && run.err().contains("move it away"),
        "{run}"
    );
}

#[test]
fn another_repository_is_no_worktree_of_this_one() {
    let victim = Victim::new();
    let other = victim.treasure.join("project");
    let made = victim.sandbox.shell(&format!(
        "git init -q -b main '{0}' && cp a.py '{0}' && git -C '{0}' add . && git -C '{0}' commit -qm theirs && git -C '{0}' status",
        other.display()
    ));
    assert_eq!(made.exit, 0, "{made}");
    for (name, pointer) in [("plain", ".git"), ("linked", "")] {
        let listed = victim.git_folder().join("worktrees").join(name);
        fs::create_dir_all(&listed).unwrap();
        if pointer.is_empty() {
            fs::remove_dir(&listed).unwrap();
            symlink(other.join(".git"), &listed).unwrap();
        } else {
            fs::write(
                listed.join("gitdir"),
                format!("{}\n", other.join(pointer).display()),
            )
            .unwrap();
            fs::write(listed.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(listed.join("commondir"), "../..\n").unwrap();
        }
        victim.run_all(&victim.sandbox.repo(), name);
    }
    // An intent that would have its filters run, to see what became of a file.
    let mark = victim.treasure.join("mark");
    victim.sandbox.git(&[
        "-C",
        other.to_str().unwrap(),
        "config",
        "filter.x.clean",
        &format!("touch '{}'; cat", mark.display()),
    ]);
    fs::write(other.join(".gitattributes"), "* filter=x\n").unwrap();
    let file = json!({"path": "a.py", "status": "modified", "old": null, "new": {"blob": "0".repeat(40), "mode": "100644"}, "added": 1, "removed": 1});
    let intent = json!({"version": 1, "proof": {"written": {"worktree": other, "files": [file]}}, "make": [], "remove": []});
    fs::create_dir_all(victim.home().join("intents")).unwrap();
    fs::write(victim.home().join("intents/x"), intent.to_string()).unwrap();
    victim.run_all(&victim.sandbox.repo(), "intent");
    assert!(!mark.exists());
}

#[test]
fn an_intent_removes_no_lock_of_others() {
    let victim = Victim::new();
    let lock = victim.treasure.join("x.lock");
    fs::write(&lock, "").unwrap();
    for folder in ["batches", "undone"] {
        fs::create_dir_all(victim.git_folder().join("refs/segedit").join(folder)).unwrap();
    }
    let refs = [
        "refs/segedit/batches/../../../../../treasure/x",
        "refs/segedit/undone/../../../../../treasure/x",
    ];
    for name in refs {
        for proof in [
            json!({"left": {"name": "HEAD", "commit": "0".repeat(40)}}),
            json!({"unstashed": {"commit": "1".repeat(40)}}),
        ] {
            let list = json!([[name, "0".repeat(40)]]);
            for (make, remove) in [(list.clone(), json!([])), (json!([]), list.clone())] {
                let intent = json!({"version": 1, "proof": proof, "make": make, "remove": remove});
                fs::create_dir_all(victim.home().join("intents")).unwrap();
                fs::write(victim.home().join("intents/x"), intent.to_string()).unwrap();
                victim.run_all(&victim.sandbox.repo(), name);
            }
        }
    }
}

#[test]
fn a_log_that_a_link_leads_to_stays() {
    let victim = Victim::new();
    let tip = victim.tip();
    victim
        .sandbox
        .git(&["update-ref", "refs/segedit/undone/bashrc", &tip]);
    let logs = victim.git_folder().join("logs/refs/segedit");
    fs::create_dir_all(&logs).unwrap();
    let _ = fs::remove_dir_all(logs.join("undone"));
    symlink(&victim.treasure, logs.join("undone")).unwrap();
    let intent = json!({"version": 1, "proof": {"reached": {"name": "refs/heads/main", "commit": tip}},
        "make": [], "remove": [["refs/segedit/undone/bashrc", tip]]});
    fs::create_dir_all(victim.home().join("intents")).unwrap();
    fs::write(victim.home().join("intents/x"), intent.to_string()).unwrap();
    victim.run_all(&victim.sandbox.repo(), "log");
}

#[test]
fn only_the_callers_own_configuration_trusts() {
    let victim = Victim::new();
    let mark = victim.treasure.join("mark");
    victim.sandbox.write(
        ".segedit.yaml",
        format!(
            "version: 1\nvalidators:\n- {{name: x, files: ['*.py'], command: [touch, '{}']}}\n",
            mark.display()
        ),
    );
    victim.sandbox.commit_all("rules");
    let hash = victim.sandbox.git(&["rev-parse", "HEAD:.segedit.yaml"]);
    let cache = victim.treasure.join("cache");
    fs::create_dir(&cache).unwrap();
    victim.sandbox.git(&["config", "segedit.trust", "always"]);
    victim
        .sandbox
        .git(&["config", &format!("segedit.{hash}.trusted"), "true"]);
    victim
        .sandbox
        .git(&["config", "segedit.cache", cache.to_str().unwrap()]);
    victim.run_all(&victim.sandbox.repo(), "settings");
    assert!(!mark.exists() && fs::read_dir(&cache).unwrap().next().is_none());
    victim
        .sandbox
        .git(&["config", "--global", "segedit.trust", "always"]);
    let run = victim.run_in(&victim.sandbox.repo(), WRITERS[3]);
    assert!(mark.exists(), "{run}");
}

/// Settings of the repository's own that make git start a program, each with what else it takes.
fn settings(mark: &Path) -> Vec<(&'static str, Vec<(String, String)>)> {
    let touch = format!("touch '{}'; cat", mark.display());
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    vec![
        (
            "clean",
            vec![set("filter.x.clean", &touch), set("filter.x.smudge", "cat")],
        ),
        (
            "smudge",
            vec![
                set("filter.x.smudge", &touch),
                set("filter.x.required", "true"),
            ],
        ),
        ("process", vec![set("filter.x.process", &touch)]),
        ("monitor", vec![set("core.fsmonitor", &touch)]),
        (
            "diff",
            vec![
                set("diff.x.command", &touch),
                set("diff.x.textconv", &touch),
                set("diff.external", &touch),
            ],
        ),
        (
            "pager",
            vec![set("core.pager", &touch), set("pager.segedit", &touch)],
        ),
        (
            "editor",
            vec![set("core.editor", &touch), set("sequence.editor", &touch)],
        ),
        (
            "signing",
            vec![set("gpg.program", &touch), set("log.showSignature", "true")],
        ),
        (
            "split",
            vec![
                set("core.splitIndex", "true"),
                set("core.hooksPath", "hooks-of-others"),
            ],
        ),
        ("merge", vec![set("merge.x.driver", &touch)]),
    ]
}

#[test]
fn whoever_reads_or_checks_starts_nothing() {
    let victim = Victim::new();
    let mark = victim.treasure.join("mark");
    victim
        .sandbox
        .write(".gitattributes", "*.py filter=x diff=x merge=x\n");
    victim.sandbox.commit_all("attributes");
    let repo = victim.sandbox.repo();
    let hooks = [
        repo.join("hooks-of-others"),
        victim.git_folder().join("hooks"),
    ];
    for folder in &hooks {
        fs::create_dir_all(folder).unwrap();
        for name in [
            "post-index-change",
            "pre-commit",
            "prepare-commit-msg",
            "commit-msg",
            "post-checkout",
            "fsmonitor-watchman",
            "pre-auto-gc",
        ] {
            fs::write(
                folder.join(name),
                format!("#!/bin/sh\ntouch '{}'\n", mark.display()),
            )
            .unwrap();
            fs::set_permissions(
                folder.join(name),
                std::os::unix::fs::PermissionsExt::from_mode(0o755),
            )
            .unwrap();
        }
    }
    // A worktree beside it that has the branch of a batch checked out.
    let linked = victim.sandbox.aside().join("linked");
    victim.sandbox.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        linked.to_str().unwrap(),
    ]);
    fs::write(linked.join("a.py"), format!("{A}# more\n")).unwrap();
    let _ = fs::remove_file(&mark);
    let on_side: &[&str] = &["check", "--branch", "side", "ops.yaml"];
    for (what, settings) in settings(&mark) {
        for (name, value) in &settings {
            victim.sandbox.git(&["config", name, value]);
        }
        if what == "split" {
            // Read by a git that writes a plain copy of it.
            victim.sandbox.git(&["update-index", "--split-index"]);
            let _ = fs::remove_file(&mark);
        }
        for touched in [false, true] {
            // With other bytes than the index knows, it takes the filter to say what would be stored.
            if touched {
                victim.sandbox.write("a.py", format!("{A}# more\n"));
            }
            for args in READERS.into_iter().chain(DRY_RUNS).chain([on_side]) {
                let run = victim.run_in(&repo, args);
                assert!(!mark.exists(), "{what}: {run}");
                let may_refuse = args.contains(&"ops.yaml") || args.contains(&"--dry-run");
                let undecided = may_refuse && [1, 4].contains(&run.exit);
                assert!(run.exit == 0 || undecided, "{what}: {run}");
            }
            victim.sandbox.write("a.py", A);
        }
        for (name, _) in &settings {
            victim.sandbox.git(&["config", "--unset", name]);
        }
    }
}

#[test]
fn the_callers_own_filters_run_for_readers() {
    let victim = Victim::new();
    let upper = "tr a-z A-Z";
    victim.sandbox.write(".gitattributes", "*.md filter=x\n");
    victim.sandbox.write("n.md", "# one\n\ntext\n");
    victim.sandbox.commit_all("notes");
    let outline = || {
        victim
            .run_in(&victim.sandbox.repo(), &["outline", "n.md"])
            .out()
    };
    victim.sandbox.git(&["config", "filter.x.clean", upper]);
    assert!(
        outline().contains("# one"),
        "the repository's filter is not started"
    );
    victim
        .sandbox
        .git(&["config", "--global", "filter.x.clean", upper]);
    assert!(outline().contains("# ONE"), "the caller's is");
    victim
        .sandbox
        .git(&["config", "filter.x.clean", "tr a-z X"]);
    assert!(outline().contains("# ONE"), "and no other in its place");
    let mark = victim.treasure.join("mark");
    victim.sandbox.git(&[
        "config",
        "filter.x.process",
        &format!("touch '{}'", mark.display()),
    ]);
    assert!(
        outline().contains("# one") && !mark.exists(),
        "nor beside it"
    );
}

#[test]
fn attributes_that_two_readers_read_two_ways_start_nothing() {
    let long = format!(
        "*.py ident filter=evil\n*.py {} -filter\n",
        " ".repeat(3000)
    );
    let spellings: [&[u8]; 7] = [
        b"*.py ident m\n[attr]m filter=evil\n",
        b"[attr]foo bar\n[attr]bar filter=evil\n*.py ident foo\n",
        long.as_bytes(),
        b"*.py ident\n\"*.p\\171\" filter=evil\n",
        b"*.py ident filter=\xff\n",
        b"*.py ident filter=evil\n*.py -filter builtin_objectmode=1\n",
        b"*.py ident filter=evil\n*.py -filter \xc3\xa4\n",
    ];
    for spelling in spellings {
        let victim = Victim::new();
        let mark = victim.treasure.join("mark");
        let mut config = fs::read(victim.git_folder().join("config")).unwrap();
        for name in [&b"evil"[..], b"\xff"] {
            let command = format!("\"]\n\tclean = \"touch '{}'; cat\"\n", mark.display());
            config.extend([b"[filter \"", name, command.as_bytes()].concat());
        }
        fs::write(victim.git_folder().join("config"), config).unwrap();
        fs::write(victim.sandbox.repo().join(".gitattributes"), spelling).unwrap();
        for trust in ["ask", "never"] {
            for args in READERS.into_iter().chain(DRY_RUNS) {
                let mut command = victim.sandbox.segedit_command();
                let run = victim
                    .sandbox
                    .run(command.args(args).env("GIT_SEGEDIT_TRUST", trust), b"");
                assert!(
                    !mark.exists(),
                    "{}: {run}",
                    String::from_utf8_lossy(spelling)
                );
            }
        }
    }
}

#[test]
fn a_remote_that_looks_like_an_option_is_not_fetched_from() {
    for setting in ["remote", "extension"] {
        let victim = Victim::new();
        let mark = victim.treasure.join("mark");
        let blob = victim.sandbox.git(&["rev-parse", "HEAD:a.py"]);
        fs::remove_file(
            victim
                .git_folder()
                .join("objects")
                .join(&blob[..2])
                .join(&blob[2..]),
        )
        .unwrap();
        let name = format!("--upload-pack=touch '{}';git-upload-pack", mark.display());
        victim.sandbox.git(&["config", "remote.origin.url", "."]);
        victim
            .sandbox
            .git(&["config", "core.repositoryFormatVersion", "1"]);
        match setting {
            "remote" => victim
                .sandbox
                .git(&["config", &format!("remote.{name}.promisor"), "true"]),
            _ => victim
                .sandbox
                .git(&["config", "extensions.partialClone", &name]),
        };
        for args in READERS {
            let run = victim.run_in(&victim.sandbox.repo(), args);
            assert!(!mark.exists(), "{setting}: {run}");
        }
        let run = victim.run_in(&victim.sandbox.repo(), &["outline", "HEAD:a.py"]);
        assert!(
            run.exit == 4 && run.err().contains("config-untrusted"),
            "{setting}: {run}"
        );
    }
}

#[test]
fn no_ref_is_written_or_removed_through_a_link() {
    let victim = Victim::new();
    let (sandbox, repo) = (&victim.sandbox, victim.sandbox.repo());
    let other = sandbox.aside().join("other");
    let git = |args: &[&str]| {
        let outcome = Command::new("git")
            .current_dir(&other)
            .args(args)
            .output()
            .unwrap();
        String::from_utf8(outcome.stdout).unwrap()
    };
    fs::create_dir_all(&other).unwrap();
    git(&["init", "-q", "-b", "main"]);
    let heads = other.join(".git/refs/heads");
    let tip = sandbox.git(&["rev-parse", "HEAD"]);
    let branches = ["main", "work"];
    for name in branches {
        fs::write(heads.join(name), format!("{tip}\n")).unwrap();
    }
    let before = || {
        let mut found: Vec<(String, String)> = fs::read_dir(&heads)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        found.sort();
        found
    };
    let kept = before();
    assert_eq!(kept.len(), 2);
    let own = victim.git_folder().join("refs/segedit");
    for folder in ["drafts", "batches", "undone"] {
        let _ = fs::remove_dir_all(&own);
        fs::create_dir_all(&own).unwrap();
        std::os::unix::fs::symlink(&heads, own.join(folder)).unwrap();
        // What is swept: a lock without its draft, and a draft of long ago.
        let drafts = victim.home().join("drafts");
        fs::create_dir_all(&drafts).unwrap();
        for name in branches {
            fs::write(drafts.join(format!("{name}.lock")), "").unwrap();
        }
        for args in READERS.into_iter().chain(DRY_RUNS).chain(WRITERS) {
            let run = victim.run_in(&repo, args);
            assert_eq!(before(), kept, "{folder}: {run}");
        }
        let discard = r#"{"draft": "main", "discard": true}"#;
        let mut call = sandbox.segedit_command();
        call.current_dir(&repo).args(["call", "segedit_apply"]);
        let run = sandbox.run(&mut call, discard.as_bytes());
        assert_eq!(before(), kept, "{folder}: {run}");
    }
    let _ = fs::remove_dir_all(&own);
    // A branch whose file is a link that leads nowhere yet.
    let outside = victim.treasure.join("new");
    let branch = victim.git_folder().join("refs/heads/lost");
    std::os::unix::fs::symlink(&outside, &branch).unwrap();
    let content = "def first():\n    return 8";
    let args = [
        "replace",
        "a.py::first",
        "--content",
        content,
        "--branch",
        "lost",
    ];
    let run = victim.run_in(&repo, &args);
    assert_eq!(run.exit, 4, "{run}");
    assert!(run.err().contains("unsupported-repository"), "{run}");
    assert!(!outside.exists());
}

#[test]
fn no_log_is_written_anew_or_removed_through_a_link() {
    const TREASURE: &str = "alias ll='ls -l'\n";
    let planted = |log: &str, to: &Path| {
        let victim = Victim::new();
        let place = victim.git_folder().join("logs").join(log);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&place).or_else(|_| fs::remove_dir_all(&place));
        symlink(victim.treasure.join(to), &place).unwrap();
        fs::write(victim.treasure.join("rc"), TREASURE).unwrap();
        victim
    };
    let is_there = |victim: &Victim, what: &str| {
        let found = fs::read_to_string(victim.treasure.join("rc")).unwrap_or_default();
        assert!(found.starts_with(TREASURE), "{what}: {found:?}");
    };
    // A line that says that a move of ours did not come to be would be taken out: a move that fails, and a journal of a stranger's.
    let victim = planted("refs/heads/main", Path::new("rc"));
    let repo = victim.sandbox.repo();
    let head = victim.git_folder().join("logs/HEAD");
    fs::remove_file(&head).unwrap();
    fs::create_dir(&head).unwrap();
    fs::write(head.join("full"), "").unwrap();
    let content = "def first():\n    return 8";
    let commit = ["replace", "a.py::first", "--content", content, "-m", "x"];
    let run = victim.run_in(&repo, &commit);
    assert_eq!(run.exit, 5, "{run}");
    is_there(&victim, &run.to_string());
    fs::remove_dir_all(&head).unwrap();
    let tip = victim.tip();
    let untrue = format!("{tip} {} a <a@b> 1 +0000\tsegedit: x\n", "1".repeat(40));
    fs::write(victim.treasure.join("rc"), format!("{TREASURE}{untrue}")).unwrap();
    let journal = json!({"version": 1, "pivot": {"ref": {"name": "refs/heads/main", "new": "1".repeat(40)}}, "ref_lock": null, "sites": []});
    fs::create_dir_all(victim.home()).unwrap();
    fs::write(victim.home().join("journal"), journal.to_string()).unwrap();
    let run = victim.run_in(&repo, &["recover"]);
    is_there(&victim, &run.to_string());
    // The list of stash entries is a log.
    let victim = planted("refs/stash", Path::new("rc"));
    let (stash, repo) = ("refs/stash", victim.sandbox.repo());
    let tip = victim.tip();
    victim.sandbox.git(&["update-ref", stash, &tip]);
    let proof = json!({"unstashed": {"commit": tip}});
    let intent = json!({"version": 1, "proof": proof, "make": [], "remove": []});
    fs::create_dir_all(victim.home().join("intents")).unwrap();
    fs::write(victim.home().join("intents/x"), intent.to_string()).unwrap();
    let run = victim.run_in(&repo, &["recover"]);
    is_there(&victim, &run.to_string());
    // What the history forgets loses its log with it.
    let victim = planted("refs/segedit/batches", Path::new(""));
    let (sandbox, repo) = (&victim.sandbox, victim.sandbox.repo());
    let tip = victim.tip();
    sandbox.git(&["update-ref", "refs/segedit/batches/rc", &tip]);
    fs::write(victim.treasure.join("rc"), TREASURE).unwrap();
    for args in [&["history", "prune", "--keep", "0"][..], &commit] {
        let run = victim.run_in(&repo, args);
        is_there(&victim, &run.to_string());
    }
}

#[test]
fn a_repository_whose_refs_are_anothers_as_a_whole_has_a_history() {
    let sandbox = Sandbox::with(&[("a.py", "def first():\n    return 1\n")]);
    let git_folder = sandbox.repo().join(".git");
    // As git's own `git-new-workdir` makes it.
    let work = sandbox.aside().join("work");
    fs::create_dir_all(work.join(".git/logs")).unwrap();
    for shared in [
        "config",
        "refs",
        "logs/refs",
        "objects",
        "info",
        "hooks",
        "packed-refs",
    ] {
        symlink(git_folder.join(shared), work.join(".git").join(shared)).unwrap();
    }
    fs::copy(git_folder.join("HEAD"), work.join(".git/HEAD")).unwrap();
    let git = |args: &[&str]| Command::new("git").current_dir(&work).args(args).status();
    assert!(git(&["reset", "-q", "--hard"]).unwrap().success());
    let run = |args: &[&str]| {
        let mut command = sandbox.segedit_command();
        command.current_dir(&work).args(args);
        sandbox.run(&mut command, b"")
    };
    let content = "def first():\n    return 2";
    let edit = [
        "replace",
        "a.py::first",
        "--content",
        content,
        "--destination",
        "worktree",
    ];
    let edited = run(&edit);
    assert_eq!((edited.exit, edited.err()), (0, String::new()), "{edited}");
    let undone = run(&["undo"]);
    assert_eq!(undone.exit, 0, "{undone}");
    assert_eq!(
        fs::read_to_string(work.join("a.py")).unwrap(),
        "def first():\n    return 1\n"
    );
}

#[test]
fn a_head_that_is_a_link_is_not_written_through() {
    let victim = Victim::new();
    let repo = victim.sandbox.repo();
    let tip = victim.tip();
    let branch = victim.treasure.join("branch");
    fs::write(&branch, format!("{tip}\n")).unwrap();
    let head = victim.git_folder().join("HEAD");
    fs::remove_file(&head).unwrap();
    symlink(&branch, &head).unwrap();
    let run = victim.run_in(
        &repo,
        &[
            "replace",
            "a.py::first",
            "--content",
            "def first():\n    return 8",
            "--destination",
            "commit",
            "-m",
            "x",
        ],
    );
    assert_eq!(
        fs::read_to_string(&branch).unwrap(),
        format!("{tip}\n"),
        "{run}"
    );
    assert_ne!(run.exit, 0, "{run}");
}

#[test]
fn a_file_of_the_git_folder_that_never_ends_is_not_read() {
    for name in ["MERGE_HEAD", "packed-refs", "rebase-merge/head-name"] {
        let victim = Victim::new();
        let place = victim.git_folder().join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &place).unwrap();
        let limit = "ulimit -v 4194304 2>/dev/null; ulimit -t 20;";
        for command in [
            "check --staged",
            "replace a.py::first --content 'def first(): return 3' --destination worktree",
            "undo",
            "redo",
        ] {
            let run = victim
                .sandbox
                .shell(&format!("{limit} exec git-segedit {command}"));
            assert!((0..=5).contains(&run.exit), "{name}: {run}");
        }
    }
}

#[test]
fn trust_goes_with_the_folder_that_was_trusted() {
    let victim = Victim::new();
    let (repo, hash) = (
        victim.sandbox.repo(),
        victim.sandbox.git(&["rev-parse", "HEAD:.segedit.yaml"]),
    );
    let trusted = |victim: &Victim| {
        victim
            .run_in(&repo, &["trust", "--dry-run"])
            .out()
            .contains(": trusted in this clone")
    };
    assert_eq!(victim.run_in(&repo, &["trust"]).exit, 0, "{hash}");
    assert!(trusted(&victim));
    let said = victim
        .run_in(&repo, &["validators", "--format", "json"])
        .json();
    let kept = victim.sandbox.aside().join("kept.tar");
    let tar = |args: &[&str]| {
        let status = Command::new("tar")
            .args(args)
            .arg(&kept)
            .args(["-C", repo.to_str().unwrap(), "."])
            .status();
        assert!(status.unwrap().success());
    };
    tar(&["-cf"]);
    for _ in 0..5 {
        for entry in fs::read_dir(&repo).unwrap().flatten() {
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
        tar(&["-xf"]);
        let now = victim
            .run_in(&repo, &["validators", "--format", "json"])
            .json();
        assert_ne!(said, now, "what was unpacked in its place is not trusted");
        assert!(!trusted(&victim));
    }
}

/// Any folder can say that it is a worktree of a repository that somebody trusts. Programs are looked for in worktrees.
#[test]
fn trust_is_asked_for_by_a_worktree_that_the_repository_does_not_know() {
    let victim = Victim::new();
    let (repo, other) = (victim.sandbox.repo(), victim.sandbox.aside().join("other"));
    assert_eq!(victim.run_in(&repo, &["trust"]).exit, 0);
    let trusted = |folder: &Path| {
        victim
            .run_in(folder, &["trust", "--dry-run"])
            .out()
            .contains(": trusted in this clone")
    };
    let git_dir = victim.git_folder();
    fs::create_dir(&other).unwrap();
    fs::copy(repo.join(".segedit.yaml"), other.join(".segedit.yaml")).unwrap();
    let make_file = || {
        fs::write(
            other.join(".git"),
            format!("gitdir: {}\n", git_dir.display()),
        )
        .unwrap()
    };
    let make_link = || symlink(&git_dir, other.join(".git")).unwrap();
    let make_folder = || {
        fs::create_dir(other.join(".git")).unwrap();
        fs::copy(git_dir.join("HEAD"), other.join(".git/HEAD")).unwrap();
        fs::write(
            other.join(".git/commondir"),
            format!("{}\n", git_dir.display()),
        )
        .unwrap();
    };
    let ways: [(&str, &dyn Fn()); 3] = [
        ("file", &make_file),
        ("link", &make_link),
        ("folder", &make_folder),
    ];
    for (way, make) in ways {
        make();
        assert!(!trusted(&other), "{way}");
        let _ =
            fs::remove_dir_all(other.join(".git")).or_else(|_| fs::remove_file(other.join(".git")));
    }
    // What git itself made is known.
    victim.sandbox.git(&["worktree", "add", "-q", "../linked"]);
    assert!(trusted(&repo) && trusted(&victim.sandbox.aside().join("linked")));
    // And where somebody says yes to such a folder, they said it of that one.
    make_file();
    assert_eq!(victim.run_in(&other, &["trust"]).exit, 0);
    assert!(trusted(&other));
    assert_eq!(victim.run_in(&repo, &["trust", "--revoke"]).exit, 0);
    assert!(trusted(&other) && !trusted(&repo));
}

/// Says how git and the tool answer to a folder: whether they find a repository, and in which words they do not.
fn both(
    victim: &Victim,
    folder: &Path,
    variables: &[(&str, &str)],
) -> (Option<String>, Option<String>) {
    let words = |run: &Run| {
        let text = run.err();
        let line = text.lines().next().unwrap_or_default();
        let line = line.strip_prefix("fatal: ").unwrap_or(line);
        let line = line.split_once("]: ").map_or(line, |(_, rest)| rest);
        (run.exit != 0).then(|| line.to_owned())
    };
    let run = |mut command: Command, args: &[&str]| {
        command
            .current_dir(folder)
            .args(args)
            .envs(variables.iter().copied());
        victim.sandbox.run(&mut command, b"")
    };
    let git = run(victim.sandbox.program("git"), &["rev-parse", "--git-dir"]);
    let ours = run(victim.sandbox.segedit_command(), &["log"]);
    (words(&git), words(&ours))
}

#[test]
fn a_repository_is_found_where_git_finds_it() {
    let victim = Victim::new();
    let repo = victim.sandbox.repo();
    let shell = |line: &str| {
        let run = victim.sandbox.shell(line);
        assert_eq!(run.exit, 0, "{run}");
    };
    shell(
        "mkdir -p sub/deep && git clone -q --bare . bare && git clone -q --bare . dotted.git && mkdir plain && git -C plain init -q",
    );
    shell(
        "git worktree add -q --detach linked && git -c protocol.file.allow=always submodule add -q ./bare mod && git init -q --separate-git-dir=store apart",
    );
    shell(
        "git clone -q --bare . hidden && git -C hidden config core.bare false && git -C hidden config core.worktree \"$PWD/sub\"",
    );
    let at = |path: &str| repo.join(path);
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let folders = [
        "",
        "sub/deep",
        "bare",
        "bare/refs/heads",
        "dotted.git",
        "plain",
        "linked",
        "mod",
        "apart",
        "store",
        "hidden",
        ".git",
        ".git/refs",
        ".git/worktrees/linked",
        ".git/modules/mod",
        "hidden/objects",
    ];
    let mut compared = 0;
    for setting in ["", "all", "explicit"] {
        if setting.is_empty() {
            victim
                .sandbox
                .try_git(&["config", "--global", "--unset", "safe.bareRepository"]);
        } else {
            victim
                .sandbox
                .git(&["config", "--global", "safe.bareRepository", setting]);
        }
        // What the repository says of itself has no say.
        victim.sandbox.git(&[
            "--git-dir",
            &text(&at("bare")),
            "config",
            "safe.bareRepository",
            "all",
        ]);
        for folder in folders {
            let rows: [Vec<(&str, String)>; 5] = [
                vec![],
                vec![("GIT_CEILING_DIRECTORIES", text(&repo))],
                vec![("GIT_CEILING_DIRECTORIES", text(&at("sub")))],
                vec![("GIT_DIR", text(&at("bare")))],
                vec![("GIT_DISCOVERY_ACROSS_FILESYSTEM", "1".to_owned())],
            ];
            for row in rows {
                let variables: Vec<(&str, &str)> = row
                    .iter()
                    .map(|(name, value)| (*name, value.as_str()))
                    .collect();
                let (git, ours) = both(&victim, &at(folder), &variables);
                assert_eq!(
                    git.is_some(),
                    ours.is_some(),
                    "{setting} {folder} {row:?}: {git:?} {ours:?}"
                );
                if let (Some(git), Some(ours)) = (&git, &ours)
                    && git.contains("cannot use")
                {
                    assert_eq!(git, ours, "{setting} {folder} {row:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn whose_a_repository_is_git_decides() {
    let victim = Victim::new();
    let repo = victim.sandbox.repo();
    let given = Command::new("chown")
        .args(["-R", "65534:65534"])
        .arg(&repo)
        .status();
    if !given.is_ok_and(|status| status.success()) {
        return println!("skipped: only root can give away a folder");
    }
    let here = repo.to_str().unwrap().to_owned();
    let above = repo.parent().unwrap().to_str().unwrap().to_owned();
    let git_dir = victim.git_folder().to_str().unwrap().to_owned();
    let parameters = format!("'safe.directory'='{here}'");
    let counted = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "safe.directory"),
        ("GIT_CONFIG_VALUE_0", "*"),
    ];
    type Variables<'a> = Vec<(&'a str, &'a str)>;
    let rows: [(&str, Variables<'_>, bool); 5] = [
        ("nothing said", vec![], false),
        ("git -c", vec![("GIT_CONFIG_PARAMETERS", &parameters)], true),
        ("counted", counted.to_vec(), true),
        ("named", vec![("GIT_DIR", &git_dir)], true),
        (
            "another",
            vec![("GIT_CONFIG_PARAMETERS", "'safe.directory'='/elsewhere'")],
            false,
        ),
    ];
    for (what, variables, found) in rows {
        let (git, ours) = both(&victim, &repo, &variables);
        assert_eq!(
            (git.is_none(), ours.is_none()),
            (found, found),
            "{what}: {git:?} {ours:?}"
        );
        if let (Some(git), Some(ours)) = (git, ours) {
            assert_eq!(git.split('\'').nth(1), ours.split('\'').nth(1), "{what}");
            assert!(ours.contains("dubious ownership"), "{what}: {ours}");
        }
    }
    let prefix = format!("{above}/*");
    victim
        .sandbox
        .git(&["config", "--global", "safe.directory", &prefix]);
    let (git, ours) = both(&victim, &repo, &[]);
    assert_eq!(git.is_none(), ours.is_none(), "{git:?} {ours:?}");
}

#[test]
fn whatever_is_planted_in_a_git_folder_harms_nobody() {
    harms_nobody(3);
}
