//! The index of segments that `find` looks names up in. Its one law: an answer with it is the answer without it.
//!
//! The long way is taken by everybody who cannot lock the index, so it is had here by a folder in the place of the lock.

use std::path::PathBuf;

use super::{Run, Sandbox};

/// Runs the tool both ways, which have to say the same, and returns what they say on standard output.
#[track_caller]
pub(crate) fn both(sandbox: &Sandbox, args: &[&str]) -> String {
    let long = sandbox.segedit_without_index(args);
    let short = sandbox.segedit(args);
    let same =
        short.exit == long.exit && short.stdout == long.stdout && short.stderr == long.stderr;
    assert!(same, "with the index\n{short}\nwithout\n{long}\n{sandbox}");
    short.out()
}

/// Finds every one of `names` both ways, twice, and returns the lines of the answers.
#[track_caller]
pub(crate) fn found(sandbox: &Sandbox, names: &[&str]) -> Vec<String> {
    let ask = |name: &&str| both(sandbox, &["find", "--format", "json", name]);
    let first: Vec<String> = names.iter().map(ask).collect();
    let second: Vec<String> = names.iter().map(ask).collect();
    assert_eq!(first, second);
    names
        .iter()
        .flat_map(|name| lines(&sandbox.segedit(&["find", name])))
        .collect()
}

pub(crate) fn lines(run: &Run) -> Vec<String> {
    run.out().lines().map(str::to_owned).collect()
}

/// Returns the report of `index` with these options.
#[track_caller]
pub(crate) fn index(sandbox: &Sandbox, options: &[&str]) -> serde_json::Value {
    let run = sandbox.segedit(&[&["index", "--format", "json"], options].concat());
    assert_eq!(run.exit, 0, "{run}\n{sandbox}");
    run.json()
}

/// Waits until files that were written just now count as old: no clock of a file system that tests run on ticks slower.
pub(crate) fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(150));
}

/// A repository with a file of most sorts.
pub(crate) const SORTS: [(&str, &str); 9] = [
    (
        "src/worker.py",
        "class Worker:\n    def process(self): ...\n\n\ndef process(): ...\ndef process(): ...\n",
    ),
    (
        "src/b.rs",
        "// region helpers\nimpl Worker { fn process(&self) {} }\n// endregion\n",
    ),
    (
        "README.md",
        "# Guide\n\n## Worker.process\n\n## Usage &amp; more\n",
    ),
    (
        "ci.json",
        "{\"jobs\": {\"process\": [{\"run\": 1}], \"a.b\": 2}}\n",
    ),
    ("page.html", "<nav id=\"process\"></nav><h1>Guide</h1>\n"),
    (
        "base.jinja2",
        "{% block process %}\n{% block inner %}{% endblock %}\n{% endblock %}\n",
    ),
    ("notes.txt", "# region process\nx\n# endregion\n"),
    ("plain.txt", "process\n"),
    ("binary.py", "def process(): ...\n\0"),
];

pub(crate) const NAMES: [&str; 16] = [
    "process",
    "Worker.process",
    "*.process",
    "Worker",
    "process[2]",
    "Guide",
    "# Guide",
    "Usage & more",
    "Usage &amp; more",
    "block:process",
    "helpers",
    "inner",
    "jobs.process",
    "a.b",
    "#process",
    "nothing",
];

pub(crate) const FEW: [&str; 5] = ["process", "Worker", "Guide", "jobs.process", "inner"];

pub(crate) fn store(sandbox: &Sandbox) -> PathBuf {
    sandbox.cache().join("index.sqlite")
}

/// Returns a repository with an index that is up to date.
pub(crate) fn indexed() -> Sandbox {
    let sandbox = Sandbox::with(&SORTS);
    settle();
    index(&sandbox, &[]);
    sandbox
}
