//! Each row is a project as text, a move from its first file, and what becomes of the files; or the code of the refusal and what it says.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::manifest::yaml;
use crate::path::RepoPath;
use crate::plan::build;
use crate::snapshot::{Base, File, FileMode, HashKind, Project, Snapshot, SnapshotEntry};

type Files<'a> = &'a [(&'a str, &'a str)];

/// Returns what a move makes of the files that it changes.
fn moved(files: Files<'_>, fields: &str) -> Result<BTreeMap<String, String>, Diagnostic> {
    let manifest = format!(
        "version: 1\noperations:\n  - {{op: move, file: {}, {fields}}}\n",
        files[0].0
    );
    let manifest = yaml::read("ops.yaml", manifest.as_bytes()).unwrap();
    let path = |path: &str| RepoPath::parse(path).unwrap();
    let file = |text: &str| File {
        mode: FileMode::Regular,
        bytes: text.as_bytes().into(),
    };
    let project = Project {
        files: files
            .iter()
            .map(|(name, text)| (path(name), text.as_bytes().into()))
            .collect(),
    };
    let snapshot = Snapshot {
        base: Base::Worktree { head: None },
        hash: HashKind::Sha1,
        entries: files
            .iter()
            .map(|(name, text)| (path(name), SnapshotEntry::File(file(text))))
            .collect(),
        matches: BTreeMap::new(),
        templates: Default::default(),
        project: project.into(),
    };
    let plan = build(&manifest, &snapshot).map_err(|refused| refused.errors[0].clone())?;
    let changes = plan.candidate.changes().iter();
    Ok(changes
        .map(|change| {
            let after = change
                .after
                .as_ref()
                .map_or(&[][..], |file| &file.bytes[..]);
            let text = String::from_utf8(after.to_vec()).unwrap();
            (change.path.to_string(), text)
        })
        .collect())
}

#[track_caller]
fn check(files: Files<'_>, fields: &str, expected: Files<'_>) {
    let found = moved(files, fields).unwrap();
    let expected: BTreeMap<String, String> = expected
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn refused(files: Files<'_>, fields: &str, code: &str, words: &str) {
    let refusal = moved(files, fields).unwrap_err();
    assert_eq!(refusal.code.as_str(), code, "{refusal:?}");
    let said = [vec![refusal.message.clone()], refusal.notes.clone()].concat();
    assert!(said.join("\n").contains(words), "{said:?}");
}

#[test]
fn statements_name_the_new_module_in_their_own_form() {
    let b = "def f(): ...\n";
    for (old, new) in [
        ("from p.a import f\n", "from p.b import f\n"),
        ("from p.a import f as e\n", "from p.b import f as e\n"),
        ("from p.a import f  # noqa\n", "from p.b import f  # noqa\n"),
        (
            "from p.a import f, g\n",
            "from p.a import g\nfrom p.b import f\n",
        ),
        (
            "from p.a import (\n    f,\n    g,\n)\n",
            "from p.a import (\n    g,\n)\nfrom p.b import f\n",
        ),
        (
            "from p.a import (  # noqa: F401\n    f,\n    g,\n)\n",
            "from p.a import (  # noqa: F401\n    g,\n)\nfrom p.b import f  # noqa: F401\n",
        ),
        (
            "from p.b import e\nfrom p.a import f\n",
            "from p.b import e, f\n",
        ),
        (
            "if x:\n    from p.a import f\n",
            "if x:\n    from p.b import f\n",
        ),
        (
            "import p.a\np.a.f()\np.a.g()\n",
            "import p.a\nimport p.b\np.b.f()\np.a.g()\n",
        ),
        ("from p import a\na.f()\n", "from p import b\nb.f()\n"),
        (
            "import p.a as a\na.f()\na.g()\n",
            "import p.a as a\nimport p.b as b\nb.f()\na.g()\n",
        ),
    ] {
        let files = [
            ("p/a.py", "def f(): ...\n\n\ndef g(): ...\n"),
            ("p/__init__.py", ""),
            ("p/b.py", ""),
            ("c.py", old),
        ];
        let expected = [("p/a.py", "def g(): ...\n"), ("p/b.py", b), ("c.py", new)];
        check(&files, "symbol: f, to: p/b.py", &expected);
    }
}

#[test]
fn what_a_definition_needs_comes_along() {
    let init = ("p/__init__.py", "");
    // In the form of the file, from whatever folder; of several modules of one package all.
    check(
        &[
            (
                "p/a.py",
                "import os.path\nimport os.sep\nfrom .q import r\nfrom json import dumps as d\n\n\ndef f():\n    from .q import s\n\n    return os.path, d(r), s, len(g)\n\n\ng = []\n",
            ),
            init,
            ("p/q.py", "r = 1\ns = 2\n"),
            ("p/t/__init__.py", ""),
            ("p/t/u.py", "x = 1\n"),
        ],
        "symbol: f, to: p/t/u.py",
        &[
            ("p/a.py", "g = []\n"),
            (
                "p/t/u.py",
                "import os.path\nimport os.sep\nfrom json import dumps as d\n\nfrom ..a import g\nfrom ..q import r\n\nx = 1\n\n\ndef f():\n    from ..q import s\n\n    return os.path, d(r), s, len(g)\n",
            ),
        ],
    );
    // What only those know who check types, and what says that annotations are not evaluated.
    check(
        &[
            (
                "p/a.py",
                "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .q import R, S\n\n\ndef f(r: R): ...\n\n\ndef g(s: S): ...\n",
            ),
            init,
            ("p/q.py", "class R: ...\n\n\nclass S: ...\n"),
        ],
        "symbol: f, to: p/b.py",
        &[
            (
                "p/a.py",
                "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .q import S\n\n\ndef g(s: S): ...\n",
            ),
            (
                "p/b.py",
                "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .q import R\n\n\ndef f(r: R): ...\n",
            ),
        ],
    );
    // What is there already is not imported once more.
    check(
        &[
            ("a.py", "import re\n\nX = re.compile('')\nY = 1\n"),
            ("b.py", "import re\n\nZ = re.I\n"),
        ],
        "symbol: X, to: b.py",
        &[
            ("a.py", "Y = 1\n"),
            ("b.py", "import re\n\nZ = re.I\nX = re.compile('')\n"),
        ],
    );
}

#[test]
fn what_is_not_certain_is_refused() {
    let one = |text: &'static str, words: &str| {
        let fields = "symbol: f, to: b.py";
        refused(
            &[("a.py", text), ("b.py", "")],
            fields,
            "unsupported",
            words,
        );
    };
    one("def f(): return __name__\n", "`__name__`");
    one("def f(): return globals()\n", "`globals`");
    one("def f():\n    global g\n    g = 1\n", "global g");
    one(
        "g = 0\n\n\ndef f(): return g\n\n\ndef h():\n    global g\n    g = 1\n",
        "binds anew",
    );
    one("f = 1\n\n\ndef h(): ...\n\n\nf += 1\n", "several places");
    one("if x:\n    def f(): ...\n", "a statement of its own");
    one("from x import *\n\n\ndef f(): return g()\n", "import *");
    one(
        "def f(x):  # type: (int) -> int\n    return x\n",
        "types in comments",
    );
    let of = |b: &'static str, code: &str, words: &str| {
        let a = "def g(): ...\n\n\ndef f(): return g(), open\n";
        refused(
            &[("a.py", a), ("b.py", b)],
            "symbol: f, to: b.py",
            code,
            words,
        );
    };
    of("f = 1\n", "name-clash", "`f` is something else in b.py");
    of(
        "g = 1\n",
        "name-clash",
        "`g`, which is something else in b.py",
    );
    of("open = 1\n", "name-clash", "`open`");
    of(
        "from a import g\nfrom a import f as e\n",
        "not-certain",
        "by another name",
    );
    of("import a\na.f = 1\n", "not-certain", "set from outside");
    refused(
        &[("a.py", "def f(): ...\n"), ("b.py", "x = open\n")],
        "symbol: f, to: {file: b.py, symbol: y}",
        "segment-not-found",
        "`y`",
    );
    refused(
        &[("a.rs", "fn f() {}\n"), ("b.rs", "")],
        "symbol: f, to: b.rs",
        "unsupported-language",
        "Python",
    );
}

#[test]
fn a_circle_is_told_module_by_module() {
    // A package is imported before its modules.
    refused(
        &[
            ("p/q/a.py", "def f(): ...\n\n\ng = f\n"),
            ("p/q/__init__.py", "from .a import g\n"),
            ("p/q/c.py", "x = 1\n"),
            ("p/__init__.py", ""),
            ("p/b.py", "from .q.c import x\n"),
        ],
        "symbol: f, to: p/b.py",
        "import-cycle",
        "p/q/__init__.py imports p/q/a.py",
    );
    // A circle that was there is none of the move's.
    check(
        &[
            (
                "a.py",
                "import b\n\n\ndef f(): ...\n\n\ndef g(): return b\n",
            ),
            ("b.py", "import a\n\n\ndef h(): return a\n"),
            ("c.py", ""),
        ],
        "symbol: f, to: c.py",
        &[
            ("a.py", "import b\n\n\ndef g(): return b\n"),
            ("c.py", "def f(): ...\n"),
        ],
    );
}

#[test]
fn sections_keep_their_place_among_others() {
    let files = [("a.md", "# A\n\n## B\n\nb\n\n## C\n\nc\n")];
    check(
        &files,
        "section: B, to: {section: C}",
        &[("a.md", "# A\n\n## C\n\nc\n\n## B\n\nb\n")],
    );
    check(
        &files,
        "section: C, to: {section: B, position: last}",
        &[("a.md", "# A\n\n## B\n\nb\n\n### C\n\nc\n")],
    );
    refused(
        &files,
        "section: A, to: {section: B}",
        "unsupported",
        "inside of itself",
    );
    let files = [
        ("a.md", "# A\n\n## B\n\n[x] [y]\n\n## C\n\n[x]: u\n[y]: v\n"),
        ("b.md", "# D\n\n[x]: w\n"),
    ];
    refused(&files, "section: B, to: b.md", "unsupported", "`[y]`");
}
