//! What happens to files and to git between two questions is seen at once, and be it within the same tick of the clock.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::support::Sandbox;
use crate::support::segment_index::{NAMES, SORTS, both, found, index, settle};

fn sorts() -> Sandbox {
    Sandbox::with(&SORTS)
}

#[test]
fn every_sort_of_segment_is_found_by_every_name() {
    let sandbox = sorts();
    let lines = found(&sandbox, &NAMES);
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.ends_with("README.md::## Worker.process"))
            .count(),
        1,
        "a heading has no parts: {lines:?}"
    );
    for address in [
        "src/worker.py::Worker.process",
        "src/b.rs::block:helpers",
        "notes.txt::process",
        "page.html::#process",
    ] {
        assert!(
            lines.iter().any(|line| line.ends_with(address)),
            "{address} in {lines:?}"
        );
    }
}

#[test]
fn a_change_is_seen_within_the_same_tick() {
    let sandbox = Sandbox::with(&[
        ("a.py", "def aaaa(): ...\n"),
        ("b.py", "def other(): ...\n"),
    ]);
    for round in 0..12 {
        let (old, new) = if round % 2 == 0 {
            ("aaaa", "bbbb")
        } else {
            ("bbbb", "aaaa")
        };
        assert_eq!(
            found(&sandbox, &[old]),
            [format!("a.py:1: function a.py::{old}")]
        );
        // The same length, and the file is not even replaced.
        sandbox.write("a.py", format!("def {new}(): ...\n"));
        assert_eq!(
            found(&sandbox, &[new, old]),
            [format!("a.py:1: function a.py::{new}")]
        );
    }
}

#[test]
fn a_change_that_hides_its_time_is_seen() {
    let sandbox = Sandbox::with(&[("a.py", "def aaaa(): ...\n")]);
    settle();
    assert_eq!(found(&sandbox, &["aaaa"]).len(), 1);
    let path = sandbox.repo().join("a.py");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "def bbbb(): ...\n").unwrap();
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(time)
        .unwrap();
    assert_eq!(
        found(&sandbox, &["aaaa", "bbbb"]),
        ["a.py:1: function a.py::bbbb"]
    );
}

#[test]
fn files_come_go_and_become_something_else() {
    type Change = fn(&Sandbox);
    let changes: [(&str, Change); 13] = [
        ("added", |s| {
            s.write("new/folder/a.py", "def process(): ...\n");
            s.git(&["add", "-A"]);
        }),
        ("untracked", |s| {
            s.write("untracked.py", "def process(): ...\n")
        }),
        ("deleted", |s| {
            fs::remove_file(s.repo().join("src/b.rs")).unwrap()
        }),
        ("forgotten", |s| {
            drop(s.git(&["rm", "-q", "--cached", "README.md"]))
        }),
        ("renamed", |s| {
            drop(s.git(&["mv", "ci.json", "src/ci.json"]))
        }),
        ("another language", |s| {
            drop(s.git(&["mv", "notes.txt", "notes.jinja2"]))
        }),
        ("executable", |s| {
            fs::set_permissions(
                s.repo().join("src/worker.py"),
                fs::Permissions::from_mode(0o755),
            )
            .unwrap();
        }),
        ("a link", |s| {
            fs::remove_file(s.repo().join("page.html")).unwrap();
            symlink("base.jinja2", s.repo().join("page.html")).unwrap();
        }),
        ("a folder", |s| {
            fs::remove_file(s.repo().join("plain.txt")).unwrap();
            s.write("plain.txt/a.py", "def process(): ...\n");
        }),
        ("behind a link", |s| {
            fs::rename(s.repo().join("src"), s.repo().join("elsewhere")).unwrap();
            symlink("elsewhere", s.repo().join("src")).unwrap();
        }),
        ("back again", |s| drop(s.git(&["reset", "-q", "--hard"]))),
        ("announced", |s| {
            s.write("announced.py", "def process(): ...\n");
            s.git(&["add", "-N", "announced.py"]);
        }),
        ("all gone", |s| {
            s.git(&["rm", "-rqf", "--ignore-unmatch", "."]);
        }),
    ];
    let sandbox = sorts();
    found(&sandbox, &NAMES);
    for (name, change) in changes {
        change(&sandbox);
        println!("{name}");
        found(
            &sandbox,
            &["process", "Worker", "Guide", "inner", "jobs.process"],
        );
    }
}

#[test]
fn another_branch_is_another_worktree_and_nothing_is_read_twice() {
    let sandbox = sorts();
    sandbox.git(&["checkout", "-qb", "side"]);
    sandbox.write(
        "src/worker.py",
        "def process(): ...\n\n\ndef sideways(): ...\n",
    );
    sandbox.git(&["mv", "README.md", "docs.md"]);
    sandbox.commit_all("side");
    found(&sandbox, &["process", "sideways"]);
    sandbox.git(&["checkout", "-q", "main"]);
    found(&sandbox, &["process", "sideways", "Guide"]);
    sandbox.git(&["checkout", "-q", "side"]);
    settle();
    assert_eq!(index(&sandbox, &[])["added"], 0, "both branches are known");
    let again = index(&sandbox, &[]);
    assert_eq!(
        (&again["read"], &again["added"]),
        (&0.into(), &0.into()),
        "{again}"
    );
    assert_eq!(index(&sandbox, &["--stat"])["current"], true);
    found(&sandbox, &["process", "sideways", "Guide"]);
}

#[test]
fn line_endings_and_filters_are_those_of_now() {
    let sandbox = Sandbox::with(&[
        ("a.py", "def process():\n    return 1\n"),
        ("d/b.py", "def process():\n    return 2\n"),
    ]);
    sandbox.write("a.py", "def process():\r\n    return 1\r\n");
    let hash = |sandbox: &Sandbox| found(sandbox, &["process"]);
    hash(&sandbox);
    settle();
    hash(&sandbox);
    for (file, attributes) in [
        ("d/.gitattributes", "*.py text\n"),
        (".gitattributes", "a.py text eol=crlf\n"),
    ] {
        sandbox.write(file, attributes);
        hash(&sandbox);
        settle();
        hash(&sandbox);
        fs::remove_file(sandbox.repo().join(file)).unwrap();
        hash(&sandbox);
    }
    sandbox.git(&["config", "core.autocrlf", "true"]);
    hash(&sandbox);
    settle();
    hash(&sandbox);
    sandbox.git(&["config", "core.autocrlf", "false"]);
    hash(&sandbox);
    fs::create_dir_all(sandbox.git_folder().join("info")).unwrap();
    fs::write(
        sandbox.git_folder().join("info/attributes"),
        "*.py filter=twice\n",
    )
    .unwrap();
    sandbox.git(&[
        "config",
        "--global",
        "filter.twice.clean",
        "cat; echo 'def twice(): ...'",
    ]);
    assert_eq!(found(&sandbox, &["twice"]).len(), 2);
    settle();
    found(&sandbox, &["twice"]);
    sandbox.git(&[
        "config",
        "--global",
        "filter.twice.clean",
        "cat; echo 'def thrice(): ...'",
    ]);
    assert_eq!(found(&sandbox, &["twice", "thrice"]).len(), 2);
}

#[test]
fn a_path_may_hold_what_ends_it_in_an_address() {
    let sandbox = Sandbox::with(&[
        ("x::y/a.py", "\n\ndef run(): ...\n"),
        ("x::y/b.py", "def run(): ...\n"),
        ("x.py", "def run(): ...\n"),
    ]);
    let lines = found(&sandbox, &["run"]);
    let expected = [
        "x.py:1: function x.py::run",
        "x::y/a.py:3: function x::y/a.py::run",
        "x::y/b.py:1: function x::y/b.py::run",
    ];
    assert_eq!(lines, expected);
    let told = sandbox.segedit(&["find", "--format", "json", "run"]).json();
    assert_eq!(told[1]["path"], "x::y/a.py", "{told}");
    let outline = sandbox.segedit(&["outline", "HEAD:x::y/a.py"]);
    assert!(outline.out().ends_with("  function run\n"), "{outline}");
}

#[test]
fn what_was_only_touched_is_read_once() {
    let sandbox = sorts();
    index(&sandbox, &[]);
    for (path, content) in SORTS {
        sandbox.write(path, content);
    }
    settle();
    assert_eq!(index(&sandbox, &["--stat"])["unread"], SORTS.len());
    assert_eq!(index(&sandbox, &[])["read"], SORTS.len());
    assert_eq!(index(&sandbox, &["--stat"])["current"], true);
}

#[test]
fn attributes_may_stand_in_a_tree() {
    let sandbox = Sandbox::with(&[
        (".gitattributes", "*.py -text\n"),
        ("a.py", "def one(): ...\r\n\r\ndef two(): ...\r\n"),
    ]);
    sandbox.git(&["tag", "with"]);
    sandbox.git(&["rm", "-q", ".gitattributes"]);
    sandbox.git(&["commit", "-qm", "without"]);
    sandbox.git(&["config", "core.autocrlf", "input"]);
    settle();
    let asked = ["find", "--format", "json", "two"];
    both(&sandbox, &asked);
    let told = |source: &str| {
        let output = sandbox
            .segedit_command()
            .args(asked)
            .env("GIT_ATTR_SOURCE", source)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (with, without) = (told("with"), told("HEAD"));
    sandbox.git(&["config", "attr.tree", "with"]);
    assert_eq!(both(&sandbox, &asked), with);
    sandbox.git(&["config", "attr.tree", "HEAD"]);
    assert_eq!(both(&sandbox, &asked), without);
    sandbox.git(&["config", "core.safecrlf", "true"]);
    both(&sandbox, &asked);
}

#[test]
fn a_template_has_a_say_in_files_that_did_not_change() {
    let template = |block: &str| {
        let begin = "# template=job version=1\nimport os\n\n";
        format!("{begin}{{% block {block} %}}\nx = 1\n{{% endblock %}}\n\ndef end():\n    pass\n")
    };
    let sandbox = Sandbox::with(&[
        (".segedit.yaml", "version: 1\ntemplates: [\"templates/\"]\n"),
        ("templates/job.py.jinja2", &template("steps")),
        (
            "job.py",
            "# template=job version=1\nimport os\n\ny = 2\nz = 3\n\ndef end():\n    pass\n",
        ),
    ]);
    settle();
    let of_job = |lines: Vec<String>| {
        lines
            .into_iter()
            .filter(|line| line.starts_with("job.py"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of_job(found(&sandbox, &["steps"])),
        ["job.py:4: block job.py::block:steps"]
    );
    sandbox.write("templates/job.py.jinja2", template("other"));
    assert_eq!(
        of_job(found(&sandbox, &["steps", "other"])),
        ["job.py:4: block job.py::block:other"]
    );
}

#[test]
fn linked_worktrees_share_one_and_keep_apart_what_is_theirs() {
    let sandbox = sorts();
    let other = sandbox.aside().join("other");
    sandbox.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "side",
        other.to_str().unwrap(),
    ]);
    settle();
    index(&sandbox, &[]);
    fs::write(other.join("src/worker.py"), "def sideways(): ...\n").unwrap();
    let there = |args: &[&str]| sandbox.segedit(&[&["-C", other.to_str().unwrap()], args].concat());
    assert_eq!(
        there(&["index", "--format", "json"]).json()["added"],
        1,
        "the others are known from the main worktree"
    );
    assert_eq!(
        there(&["find", "sideways"]).out(),
        "src/worker.py:1: function src/worker.py::sideways\n"
    );
    assert_eq!(sandbox.segedit(&["find", "sideways"]).exit, 3);
    found(&sandbox, &NAMES);
    assert!(!other.join(".git").is_dir());
}

#[test]
fn a_bare_repository_that_moves_reads_what_is_new() {
    let origin = sorts();
    let bare = origin.copy_bare();
    let push = |text: &str| {
        origin.write("src/worker.py", text);
        origin.commit_all("more");
        origin.git(&["push", "-q", bare.repo().to_str().unwrap(), "HEAD:main"]);
    };
    assert_eq!(index(&bare, &[])["read"], SORTS.len());
    push("def process(): ...\ndef newer(): ...\n");
    let caught = index(&bare, &[]);
    assert_eq!(
        (&caught["read"], &caught["added"]),
        (&1.into(), &1.into()),
        "{caught}"
    );
    found(&bare, &["process", "newer", "Worker"]);
    push("def newest(): ...\n");
    found(&bare, &["process", "newer", "newest", "Worker"]);
    // A tree that is gone is no base for the next one.
    bare.git(&["update-ref", "refs/heads/main", "main~1"]);
    bare.git(&["reflog", "expire", "--expire=now", "--all"]);
    bare.git(&["prune", "--expire=now"]);
    push("def newest(): ...\n\n\ndef last(): ...\n");
    found(&bare, &["process", "newer", "newest", "last", "Worker"]);
}
