//! Somebody who runs the tool in a repository that a stranger made.
//!
//! A `Victim` has a home with files that they care about, each compared after every call; a program that must not start leaves a
//! mark there.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::laws::stranger as planted;
use super::{Run, Sandbox, walk};

/// Somebody who runs the tool in a repository that a stranger made.
pub(crate) struct Victim {
    pub sandbox: Sandbox,
    /// What they care about, beside the repository.
    pub treasure: PathBuf,
}

pub(crate) const A: &str = "def first():\n    return 1\n";

/// A configuration that judges nothing.
pub(crate) const RULES: &str =
    "version: 1\nvalidators:\n- {name: x, files: ['*.none'], command: ['true']}\n";

/// Commands that read, in the worktree's root.
pub(crate) const READERS: [&[&str]; 13] = [
    &["outline", "HEAD:a.py"],
    &["outline", "a.py"],
    &["outline", ":a.py"],
    &["show", "a.py::first"],
    &["find", "first"],
    &["log"],
    &["index", "--stat"],
    &["check", "ops.yaml"],
    &["check", "--staged"],
    &["validators"],
    &["trust", "--dry-run"],
    &["references", "a.py::first"],
    &["hooks", "status"],
];

/// Commands that would write, and only say what.
pub(crate) const DRY_RUNS: [&[&str]; 8] = [
    &["apply", "--dry-run", "ops.yaml"],
    &[
        "apply",
        "--dry-run",
        "--destination",
        "worktree",
        "ops.yaml",
    ],
    &["rename", "--dry-run", "a.py::first", "third"],
    &["move", "--dry-run", "a.py::first", "b.py"],
    &["import", "--dry-run", "a.py", "import os"],
    &["rename-file", "--dry-run", "a.py", "c.py"],
    &["remove", "--dry-run", "b.py"],
    &["chmod", "--dry-run", "+x", "a.py"],
];

/// Commands that write.
pub(crate) const WRITERS: [&[&str]; 15] = [
    &[
        "replace",
        "a.py::first",
        "--content",
        "def first():\n    return 2",
    ],
    &["undo"],
    &["redo"],
    &[
        "replace",
        "a.py::first",
        "--content",
        "def first():\n    return 3",
        "--destination",
        "index",
    ],
    &[
        "replace",
        "b.py::second",
        "--content",
        "def second():\n    return 4",
        "--destination",
        "worktree",
    ],
    &["rename", "a.py::first", "third"],
    &["show-batch"],
    &["move", "b.py::second", "a.py"],
    &["import", "a.py", "import os"],
    &["unimport", "a.py", "import os"],
    &["apply", "--destination", "stash", "ops.yaml"],
    &["rename-file", "b.py", "d.py"],
    &["hooks", "install", "--hook", "pre-commit"],
    &["history", "prune", "--keep", "1"],
    &["recover"],
];

/// Calls of tools that have to do with a draft and start no program of the repository.
const DRAFTING: [(&str, &str); 5] = [
    ("show", r#"{"target": "a.py::first", "at": "orders"}"#),
    (
        "replace",
        r#"{"target": "a.py::first", "content": "def first():\n    return 5", "draft": "orders"}"#,
    ),
    ("apply", r#"{"draft": "orders", "check": true}"#),
    (
        "insert",
        r#"{"target": "a.py", "position": "last", "content": "x = 1", "draft": "orders"}"#,
    ),
    ("apply", r#"{"draft": "orders", "discard": true}"#),
];

impl Victim {
    pub(crate) fn new() -> Victim {
        let operations = "version: 1\noperations:\n- {op: replace, file: a.py, symbol: first, content: 'def first(): return 9'}\n";
        let files = [
            ("a.py", A),
            ("b.py", "def second():\n    return 1\n"),
            ("ops.yaml", operations),
            (".segedit.yaml", RULES),
        ];
        let sandbox = Sandbox::with(&files);
        let treasure = sandbox.aside().join("treasure");
        fs::create_dir_all(treasure.join("refs/heads")).unwrap();
        for name in [
            "bashrc",
            "index",
            "index.lock",
            "refs/heads/main.lock",
            "newest",
            "lock",
            "journal.new",
            "old",
        ] {
            fs::write(treasure.join(name), format!("{name} of somebody\n")).unwrap();
        }
        fs::create_dir_all(treasure.join(".segedit-Ab3")).unwrap();
        fs::write(treasure.join(".segedit-Ab3/0"), "kept\n").unwrap();
        Victim { sandbox, treasure }
    }

    pub(crate) fn git_folder(&self) -> PathBuf {
        self.sandbox.git_folder()
    }

    /// Returns the program's own folder in the git folder.
    pub(crate) fn home(&self) -> PathBuf {
        let home = self.git_folder().join("segedit");
        fs::create_dir_all(&home).unwrap();
        home
    }

    /// Plants a journal of the form that bears no seal.
    pub(crate) fn plant(&self, pivot: &Value, ref_lock: &Value, sites: &[Value]) {
        let journal = json!({"version": 1, "pivot": pivot, "ref_lock": ref_lock, "sites": sites});
        fs::write(self.home().join("journal"), journal.to_string()).unwrap();
    }

    /// Returns what they care about, byte for byte, with the inodes, since what is exchanged is lost as well.
    pub(crate) fn belongings(&self) -> BTreeMap<String, (Vec<u8>, u64)> {
        let mut found = BTreeMap::new();
        walk(&self.treasure, &self.treasure, &mut |name, path| {
            let inode = path.symlink_metadata().unwrap().ino();
            found.insert(name.to_owned(), (fs::read(path).unwrap_or_default(), inode));
        });
        found
    }

    pub(crate) fn tip(&self) -> String {
        self.sandbox.git(&["rev-parse", "HEAD"])
    }

    /// Runs every command in `folder`; after each, what they care about is as it was.
    pub(crate) fn run_all(&self, folder: &Path, what: &str) {
        let before = self.belongings();
        for args in READERS.into_iter().chain(DRY_RUNS).chain(WRITERS) {
            let run = self.run_in(folder, args);
            assert!(self.belongings() == before, "{what}: {run}");
            assert!([0, 1, 3, 4, 5].contains(&run.exit), "{what}: {run}");
        }
        for call in DRAFTING {
            let run = self.call_in(folder, call);
            assert!(self.belongings() == before, "{what}: {run}");
        }
        let run = self.session_in(folder);
        assert!(self.belongings() == before, "{what}: {run}");
    }

    /// Runs a session of the agents' door in `folder` that looks at a file, searches and tries an edit.
    fn session_in(&self, folder: &Path) -> Run {
        let call = |id: u32, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let words = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            call(2, "segedit_outline", json!({"paths": ["a.py"]})),
            call(3, "segedit_find", json!({"name": "first"})),
            call(
                4,
                "segedit_replace",
                json!({"target": "a.py::first", "content": "def first():\n    return 7", "check": true}),
            ),
        ];
        let input: String = words.iter().map(|word| format!("{word}\n")).collect();
        let mut command = self.sandbox.segedit_command();
        self.sandbox
            .run(command.current_dir(folder).arg("mcp"), input.as_bytes())
    }

    fn call_in(&self, folder: &Path, (tool, arguments): (&str, &str)) -> Run {
        let mut command = self.sandbox.segedit_command();
        self.sandbox.run(
            command.current_dir(folder).args(["call", tool]),
            arguments.as_bytes(),
        )
    }

    pub(crate) fn run_in(&self, folder: &Path, args: &[&str]) -> Run {
        let mut command = self.sandbox.segedit_command();
        self.sandbox
            .run(command.current_dir(folder).args(args), b"")
    }
}

pub(crate) fn inode(path: &Path) -> u64 {
    path.symlink_metadata().unwrap().ino()
}

/// Plants hostile state in a git folder so many times over, each time something else, and holds every command to it.
pub(crate) fn harms_nobody(rounds: usize) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let victim = Victim::new();
    for name in planted::TREASURE {
        let file = victim.treasure.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, format!("{name}\n")).unwrap();
    }
    let mark = victim.sandbox.aside().join("mark");
    let (repo, kept) = (victim.sandbox.repo(), victim.sandbox.aside().join("kept"));
    assert!(
        Command::new("cp")
            .arg("-a")
            .args([&repo, &kept])
            .status()
            .unwrap()
            .success()
    );
    let tip = victim.tip();
    // Where nothing is planted each call of a session does what it asks for.
    let run = victim.session_in(&repo);
    for answer in [
        "function first",
        "a.py:1: function a.py::first",
        "+    return 7",
    ] {
        assert!(run.out().contains(answer), "{answer}: {run}");
    }
    for round in 0..rounds {
        fs::remove_dir_all(&repo).unwrap();
        assert!(
            Command::new("cp")
                .arg("-a")
                .args([&kept, &repo])
                .status()
                .unwrap()
                .success()
        );
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as u8
            })
            .collect();
        let ground = planted::Ground {
            repo: &repo,
            treasure: &victim.treasure,
            mark: &mark,
            tip: &tip,
        };
        planted::plant(&ground, &mut planted::Choices(&bytes));
        let before = victim.belongings();
        for args in READERS.into_iter().chain(DRY_RUNS) {
            let run = victim.run_in(&repo, args);
            assert!(!mark.exists(), "{round}: a program was started: {run}");
            assert!(victim.belongings() == before, "{round}: {run}");
            assert!([0, 1, 3, 4, 5].contains(&run.exit), "{round}: {run}");
        }
        let run = victim.session_in(&repo);
        assert!(!mark.exists(), "{round}: a program was started: {run}");
        assert!(victim.belongings() == before, "{round}: {run}");
        for call in DRAFTING {
            let run = victim.call_in(&repo, call);
            assert!(!mark.exists(), "{round}: a program was started: {run}");
            assert!(victim.belongings() == before, "{round}: {run}");
            assert!((0..=5).contains(&run.exit), "{round}: {run}");
        }
        for args in WRITERS {
            let run = victim.run_in(&repo, args);
            assert!(victim.belongings() == before, "{round}: {run}");
            assert!([0, 1, 3, 4, 5].contains(&run.exit), "{round}: {run}");
        }
        let _ = fs::remove_file(&mark);
    }
}
