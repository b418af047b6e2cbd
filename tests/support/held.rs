//! Files that hold more than git stores of them: secrets and outputs that a filter takes out, line endings, permissions.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use super::state::{sound, status};
use super::{Run, Sandbox};

/// Where a file of the worktree makes way.
pub(crate) const FILES: [&str; 3] = ["commit", "index", "worktree"];

/// What `nbstripout` does: a notebook is stored without outputs and counts.
pub(crate) const STRIP: &str = r#"import json, sys
book = json.load(sys.stdin)
for cell in book["cells"]:
    cell["outputs"], cell["execution_count"] = [], None
json.dump(book, sys.stdout, indent=1)
print()
"#;

/// A way to store less than a file holds: attributes, configuration, what a checkout gives, what somebody has made of it
/// since, what git stores of both, and the same with the edit of `edit` made to what they hold.
pub(crate) struct Form {
    pub name: &'static str,
    pub attributes: &'static str,
    pub config: &'static [(&'static str, &'static str)],
    pub checked_out: &'static [u8],
    pub held: &'static [u8],
    pub edit: (&'static str, &'static str),
    pub edited: &'static [u8],
    /// Text in a line that holds what git does not store; where there is none, line endings are all that differs.
    pub met: Option<&'static str>,
}

pub(crate) const STRIPPER: [(&str, &str); 2] = [
    ("filter.s.clean", "sed s/SECRET.*/SECRET/"),
    ("filter.s.smudge", "cat"),
];

pub(crate) fn forms() -> Vec<Form> {
    vec![
        Form {
            name: "a secret",
            attributes: "f.txt filter=s",
            config: &STRIPPER,
            checked_out: b"one\n# SECRET\nlast\n",
            held: b"one\n# SECRET three hours of work\nlast\n",
            edit: ("one", "two"),
            edited: b"two\n# SECRET three hours of work\nlast\n",
            met: Some("# SECRET"),
        },
        Form {
            name: "a secret and line endings",
            attributes: "f.txt text eol=crlf filter=s",
            config: &STRIPPER,
            checked_out: b"one\r\n# SECRET\r\nlast\r\n",
            held: b"one\n# SECRET three\r\nlast\r\n",
            edit: ("last", "end\nof it"),
            edited: b"one\n# SECRET three\r\nend\r\nof it\r\n",
            met: Some("# SECRET"),
        },
        Form {
            name: "a notebook",
            attributes: "f.txt filter=nb",
            config: &[("filter.nb.clean", "python3 ../strip.py"), ("filter.nb.smudge", "cat")],
            checked_out: b"{\n \"cells\": [\n  {\n   \"execution_count\": null,\n   \"outputs\": [],\n   \"source\": \"x = 1\"\n  }\n ]\n}\n",
            held: b"{\n \"cells\": [\n  {\n   \"execution_count\": 7,\n   \"outputs\": [\n    \"a plot\"\n   ],\n   \"source\": \"x = 1\"\n  }\n ]\n}\n",
            edit: ("x = 1", "x = 2"),
            edited: b"{\n \"cells\": [\n  {\n   \"execution_count\": 7,\n   \"outputs\": [\n    \"a plot\"\n   ],\n   \"source\": \"x = 2\"\n  }\n ]\n}\n",
            met: Some("\"outputs\": []"),
        },
        Form {
            name: "autocrlf=true, mixed",
            attributes: "",
            config: &[("core.autocrlf", "true")],
            checked_out: b"one\r\nline\r\nlast\r\n",
            held: b"one\r\nline\nlast\r\n",
            edit: ("one", "two"),
            edited: b"two\r\nline\nlast\r\n",
            met: None,
        },
        Form {
            name: "autocrlf=input, CRLF",
            attributes: "",
            config: &[("core.autocrlf", "input")],
            checked_out: b"one\nline\nlast\n",
            held: b"one\r\nline\r\nlast\r\n",
            edit: ("line", "words"),
            edited: b"one\r\nwords\r\nlast\r\n",
            met: None,
        },
        Form {
            name: "autocrlf=input, mixed",
            attributes: "",
            config: &[("core.autocrlf", "input")],
            checked_out: b"one\nline\nlast\n",
            held: b"one\r\nline\nlast",
            edit: ("line", "words"),
            edited: b"one\r\nwords\nlast",
            met: None,
        },
        Form {
            name: "eol=crlf, mixed",
            attributes: "f.txt text eol=crlf",
            config: &[],
            checked_out: b"one\r\nline\r\nlast\r\n",
            held: b"one\nline\nlast\r\n",
            edit: ("last", "end"),
            edited: b"one\nline\nend\r\n",
            met: None,
        },
        Form {
            name: "a keyword of before",
            attributes: "f.txt ident",
            config: &[],
            checked_out: b"$Id: 8f9a1dce65f5b1c7f8d6c8a1ed9f8f5d8cd06bd8 $\none\nlast\n",
            held: b"$Id: of another place $\none\nlast\n",
            edit: ("one", "two"),
            edited: b"$Id: of another place $\ntwo\nlast\n",
            met: Some("$Id$"),
        },
    ]
}

/// Makes a repository in which `f.txt` is as a checkout leaves it; its permissions are somebody's own.
pub(crate) fn made(form: &Form) -> Sandbox {
    let sandbox = Sandbox::unborn();
    fs::write(sandbox.aside().join("strip.py"), STRIP).expect("the filter");
    for (name, value) in form.config {
        sandbox.git(&["config", name, value]);
    }
    sandbox.write(".gitattributes", format!("{}\n", form.attributes));
    let missing_end = if form.held.ends_with(b"\n") {
        form.checked_out
    } else {
        form.checked_out.trim_ascii_end()
    };
    sandbox.write("f.txt", missing_end);
    sandbox.commit_all("first");
    fs::remove_file(sandbox.repo().join("f.txt")).expect("a file");
    sandbox.git(&["checkout", "-q", "--", "f.txt"]);
    set_mode(&sandbox, "f.txt", 0o600);
    sandbox.git(&["update-index", "--refresh"]);
    sandbox
}

/// Has the file hold what git does not store. `add` says so to git.
pub(crate) fn hold(sandbox: &Sandbox, form: &Form, add: bool) {
    sandbox.write("f.txt", form.held);
    if add {
        // What is written while git looks is not known to be looked at.
        std::thread::sleep(std::time::Duration::from_millis(30));
        sandbox.git(&["add", "f.txt"]);
        assert_eq!(status(sandbox), "", "{}: git stores the same", form.name);
    }
}

pub(crate) fn set_mode(sandbox: &Sandbox, path: &str, mode: u32) {
    fs::set_permissions(sandbox.repo().join(path), Permissions::from_mode(mode)).expect("a file");
}

pub(crate) fn mode(sandbox: &Sandbox, path: &str) -> u32 {
    fs::metadata(sandbox.repo().join(path))
        .expect("a file")
        .permissions()
        .mode()
        & 0o7777
}

pub(crate) fn file(sandbox: &Sandbox) -> String {
    String::from_utf8(fs::read(sandbox.repo().join("f.txt")).expect("a file")).expect("text")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[track_caller]
pub(crate) fn done(sandbox: &Sandbox, words: &[&str]) -> Run {
    let run = sandbox.segedit(&[words, &["--format", "json"]].concat());
    assert!(run.exit == 0, "{run}\n{sandbox}");
    sound(sandbox);
    run
}
