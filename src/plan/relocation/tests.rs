//! Each row is a project as text, a move from its first file, and what becomes of the files; or the code of the refusal and what it says.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::manifest::yaml;
use crate::path::RepoPath;
use crate::plan::{NoServers, build};
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
    let plan =
        build(&manifest, &snapshot, &NoServers).map_err(|refused| refused.errors[0].clone())?;
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
    // What a script imports at its end is not there for others.
    check(
        &[
            (
                "p/a.py",
                "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .q import R\n\n\ndef f(r: \"R\"): ...\n\n\nif __name__ == \"__main__\":\n    from p.q import R\n\n    print(R)\n",
            ),
            init,
            ("p/q.py", "class R: ...\n"),
            ("p/b.py", ""),
        ],
        "symbol: f, to: p/b.py",
        &[
            (
                "p/a.py",
                "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .q import R\n\n\nif __name__ == \"__main__\":\n    from p.q import R\n\n    print(R)\n",
            ),
            (
                "p/b.py",
                "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .q import R\n\n\ndef f(r: \"R\"): ...\n",
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

#[test]
fn a_definition_stands_before_what_calls_those_who_use_it() {
    let util = ("util.py", "def helper():\n    return 3\n");
    let head = "from util import helper\n\n\n";
    let come = "def helper():\n    return 3\n\n\n";
    // By way of functions, of a method, of two steps, of what is handed on, of a decorator.
    for (stays, calls) in [
        ("def main():\n    print(helper())\n\n\n", "main()\n"),
        (
            "class K:\n    def __init__(self):\n        self.v = helper()\n\n\n",
            "DEFAULT = K()\n",
        ),
        (
            "def two():\n    helper()\n\n\ndef one():\n    two()\n\n\n",
            "if __debug__:\n    one()\n",
        ),
        ("", "register(lambda: helper())\n"),
        (
            "def deco(f):\n    return helper()\n\n\n",
            "@deco\ndef last(): ...\n",
        ),
    ] {
        let before = format!("{head}{stays}{calls}");
        let after = format!("{stays}{come}{calls}");
        check(
            &[util, ("run.py", &before)],
            "symbol: helper, to: run.py",
            &[("util.py", ""), ("run.py", &after)],
        );
    }
    // What nobody calls while the module is imported is no hindrance.
    let before = format!("{head}def main():\n    helper()\n\n\nx = 1\n");
    check(
        &[util, ("run.py", &before)],
        "symbol: helper, to: {file: run.py, symbol: x}",
        &[
            ("util.py", ""),
            (
                "run.py",
                "def main():\n    helper()\n\n\nx = 1\n\n\ndef helper():\n    return 3\n",
            ),
        ],
    );
    let refuse = |text: &'static str, fields: &str, words: &str| {
        refused(&[("a.py", text)], fields, "unsupported", words);
    };
    refuse(
        "def conf(): ...\n\n\ndef deco(f):\n    conf()\n    return f\n\n\n@deco\ndef last(): ...\n\n\ndef end(): ...\n",
        "symbol: conf, to: {symbol: end}",
        "behind what reads it while a.py is imported, at line 9",
    );
    refuse(
        "T = 1\n\n\ndef g():\n    return T\n\n\nV = g()\nW = 2\n",
        "symbol: T, to: {symbol: W}",
        "at line 8",
    );
    // The other way round: what it calls has all that that reads.
    refuse(
        "W = 2\n\n\ndef g():\n    return T\n\n\nT = 1\nV = g()\n",
        "symbol: V, to: {symbol: g}",
        "before what it reads while a.py is imported",
    );
}

#[test]
fn what_others_set_in_the_old_module_is_not_left_behind() {
    let a = "import time\n\nLIMIT = 3\n\n\ndef fetch(): ...\n\n\ndef f(): return LIMIT, fetch(), time\n";
    for (setter, line) in [
        ("import a\n\n\ndef g(n):\n    a.LIMIT = n\n", "line 5"),
        ("import a\n\nif g:\n    a.LIMIT += 1\n", "line 4"),
        ("import a\n\na.LIMIT, x = 1, 2\n", "line 3"),
        ("import a\n\nsetattr(a, \"LIMIT\", 1)\n", "line 3"),
        ("import a\n\npatch.object(a, 'fetch', g)\n", "line 3"),
        (
            "import a\n\n\ndef test(monkeypatch):\n    monkeypatch.setattr(\n        a, \"fetch\", g\n    )\n",
            "line 6",
        ),
        ("import a\n\nwith patch(\"a.time\"): ...\n", "line 3"),
        ("import a\n\npatch.multiple(a, fetch=1)\n", "line 3"),
        ("import a\n\npatch(f\"{a.__name__}.LIMIT\", 1)\n", "line 3"),
    ] {
        refused(
            &[("a.py", a), ("b.py", ""), ("c.py", setter)],
            "symbol: f, to: b.py",
            "not-certain",
            line,
        );
    }
    // What reads it, sets a part of what it is bound to, or sets another name, is not concerned.
    for other in [
        "import a\n\nx = a.LIMIT\n",
        "import a\n\ngetattr(a, \"LIMIT\")\n",
        "import a\n\na.other = 1\n",
        "import a\n\nwith patch(\"a.time.sleep\"): ...\n",
    ] {
        let files = [("a.py", a), ("b.py", ""), ("c.py", other)];
        assert!(moved(&files, "symbol: f, to: b.py").is_ok(), "{other}");
    }
    // Entry points name it with a colon.
    let files = [
        ("p/a.py", "def f(): ...\n"),
        ("p/__init__.py", ""),
        ("pyproject.toml", "[project.scripts]\nf = \"p.a:f\"\n"),
    ];
    let found = moved(&files, "symbol: f, to: p/b.py, mentions: change").unwrap();
    assert_eq!(
        found["pyproject.toml"],
        "[project.scripts]\nf = \"p.b:f\"\n"
    );
    // A text that replaces the definition in the module which uses it still is left alone.
    let files = [
        ("a.py", "def f(): ...\n\n\ndef g(): return f()\n"),
        ("b.py", ""),
        ("c.py", "patch(\"a.f\")\n\"See a.f\"\n"),
    ];
    let found = moved(&files, "symbol: f, to: b.py, mentions: change").unwrap();
    assert_eq!(found["c.py"], "patch(\"a.f\")\n\"See b.f\"\n");
}

#[test]
fn what_its_import_registers_is_still_imported() {
    let web = "class App:\n    def route(self, path): ...\n";
    let app =
        "from web import App\n\napp = App()\n\n\n@app.route('/')\ndef f(): ...\n\n\ndef g(): ...\n";
    let files = |main: &'static str, to: &'static str| {
        [
            ("app.py", app),
            ("web.py", web),
            ("to.py", to),
            ("main.py", main),
        ]
    };
    let fields = "symbol: f, to: to.py";
    let main = "from app import app\n";
    refused(&files(main, ""), fields, "not-certain", "`route`");
    // By one who imports it, by the old module, by what that imports.
    for main in [
        "from app import app, f\n",
        "import to\n\nfrom app import app\n",
    ] {
        assert!(moved(&files(main, ""), fields).is_ok(), "{main}");
    }
    let reexported = format!("{fields}, reexport: true");
    refused(
        &files(main, ""),
        &reexported,
        "import-cycle",
        "app.py imports",
    );
    let plug = "from base import Base\n\n\nclass F(Base): ...\n";
    let base = "class Base:\n    def __init_subclass__(cls): ...\n";
    let files = [
        ("plug.py", plug),
        ("base.py", base),
        ("two.py", ""),
        ("main.py", "import plug\n"),
    ];
    refused(&files, "symbol: F, to: two.py", "not-certain", "`Base`");
    let reexported = "symbol: F, to: two.py, reexport: true";
    assert!(moved(&files, reexported).is_ok());
    // What wraps, or is known to keep nothing.
    for text in [
        "from functools import lru_cache\n\n\n@lru_cache(maxsize=1)\ndef f(): ...\n",
        "import click\n\n\n@click.command()\n@click.option('--x')\ndef f(): ...\n",
        "from base import wrap\n\n\n@wrap\ndef f(): ...\n",
        "from base import Base\n\n\nclass f(Base): ...\n",
        "class f(ValueError): ...\n",
    ] {
        let base = "from functools import wraps\n\n\nclass Base: ...\n\n\ndef wrap(f):\n    @wraps(f)\n    def g(): ...\n    return g\n";
        let files = [
            ("a.py", text),
            ("base.py", base),
            ("b.py", ""),
            ("main.py", "import a\n"),
        ];
        assert!(moved(&files, "symbol: f, to: b.py").is_ok(), "{text}");
    }
}

#[test]
fn what_the_old_module_adds_comes_along_or_nothing_moves() {
    for adds in [
        "f.short = 1\n",
        "@f.register\ndef _(x: int): ...\n",
        "@f.register(int)\ndef _(x): ...\n",
        "f.add_command(g)\n",
    ] {
        let text = format!("def f(x): ...\n\n\n{adds}");
        let files = [("a.py", text.as_str()), ("b.py", "")];
        let fields = "symbol: f, to: b.py";
        refused(&files, fields, "unsupported", "adds to `f`");
        let reexported = format!("{fields}, reexport: true");
        assert!(moved(&files, &reexported).is_ok(), "{adds}");
    }
}

#[test]
fn anchors_are_those_of_the_pages_then() {
    let a = "# A\n\n[o](#one) [p](#one-1)\n\n## One\n\nfirst [i](#one)\n\n## One\n\nsecond\n";
    // To another page, where one of the name is.
    check(
        &[
            ("a.md", a),
            ("b.md", "# B\n\n## One\n\nb\n"),
            ("c.md", "[o](a.md#one) [p](a.md#one-1) [b](b.md#one)\n"),
        ],
        "section: 'One[1]', to: b.md",
        &[
            (
                "a.md",
                "# A\n\n[o](b.md#one-1) [p](#one)\n\n## One\n\nsecond\n",
            ),
            (
                "b.md",
                "# B\n\n## One\n\nb\n\n## One\n\nfirst [i](#one-1)\n",
            ),
            ("c.md", "[o](b.md#one-1) [p](a.md#one) [b](b.md#one)\n"),
        ],
    );
    // Before it, so that that one gets the number.
    check(
        &[
            ("a.md", "# A\n\n## One\n\n[x](#two)\n\n## Two\n"),
            ("docs/README.md", "## One\n\n[b](#one)\n"),
            ("c d.md", "[o](a.md#one) [b](docs/#one)\n"),
        ],
        "section: One, to: {file: docs/README.md, section: One, position: before}",
        &[
            ("a.md", "# A\n\n## Two\n"),
            (
                "docs/README.md",
                "## One\n\n[x](../a.md#two)\n\n## One\n\n[b](#one-1)\n",
            ),
            ("c d.md", "[o](docs/README.md#one) [b](docs/#one-1)\n"),
        ],
    );
    // The page of the top by its folder.
    check(
        &[
            (
                "docs/g.md",
                "# G\n\n## See\n\n[e](../#up) [f](./g.md#see) [d](data:x) [t](tel:1) [k](sub/)\n",
            ),
            ("README.md", "## Up\n"),
            ("x.md", "[u](./#up) [s](docs/g.md#see)\n"),
        ],
        "section: See, to: README.md",
        &[
            (
                "README.md",
                "## Up\n\n## See\n\n[e](#up) [f](#see) [d](data:x) [t](tel:1) [k](docs/sub/)\n",
            ),
            ("docs/g.md", "# G\n"),
            ("x.md", "[u](./#up) [s](README.md#see)\n"),
        ],
    );
    // Within the page.
    check(
        &[("a.md", a)],
        "section: 'One[1]', to: {section: 'One[2]'}",
        &[(
            "a.md",
            "# A\n\n[o](#one-1) [p](#one)\n\n## One\n\nsecond\n\n## One\n\nfirst [i](#one-1)\n",
        )],
    );
}

#[test]
fn modules_in_folders_are_named_as_others_name_them() {
    let a = "K = 1\n\n\ndef f():\n    return K\n";
    // From a folder below the top.
    check(
        &[
            ("backend/app/core/a.py", a),
            ("backend/run.py", "from app.core.a import f\n"),
        ],
        "symbol: K, to: backend/app/core/n.py",
        &[
            (
                "backend/app/core/a.py",
                "from app.core.n import K\n\n\ndef f():\n    return K\n",
            ),
            ("backend/app/core/n.py", "K = 1\n"),
        ],
    );
    // By dots.
    check(
        &[("pkg/a.py", a), ("pkg/main.py", "from .a import f\n")],
        "symbol: f, to: pkg/n.py",
        &[
            ("pkg/a.py", "K = 1\n"),
            ("pkg/main.py", "from .n import f\n"),
            ("pkg/n.py", "from .a import K\n\n\ndef f():\n    return K\n"),
        ],
    );
    // From the top.
    check(
        &[("core/a.py", a), ("main.py", "from core.a import f, K\n")],
        "symbol: K, to: lib/n.py",
        &[
            (
                "core/a.py",
                "from lib.n import K\n\n\ndef f():\n    return K\n",
            ),
            ("lib/n.py", "K = 1\n"),
            ("main.py", "from core.a import f\nfrom lib.n import K\n"),
        ],
    );
    let files = [
        ("pkg/a.py", a),
        ("pkg/__init__.py", ""),
        ("main.py", "import click\nimport pkg.a\n"),
    ];
    let fields = "symbol: K, to: pkg/a/n.py";
    refused(&files, fields, "name-clash", "pkg/a.py is found");
    refused(
        &files,
        "symbol: K, to: click.py",
        "name-clash",
        "main.py imports",
    );
    refused(
        &files,
        "symbol: K, to: json.py",
        "name-clash",
        "Python's own",
    );
}

#[test]
fn what_is_filled_by_its_old_module_stays_with_it() {
    let old = "HANDLERS = {}\n\n\ndef handler(f):\n    HANDLERS[f.__name__] = f\n    return f\n\n\n@handler\ndef start(): ...\n";
    let files = |main: &'static str| [("h.py", old), ("r.py", ""), ("main.py", main)];
    let fields = "symbol: HANDLERS, to: r.py";
    refused(
        &files("from h import HANDLERS\n"),
        fields,
        "unsupported",
        "h.py, line 9",
    );
    // Who imports the old module as well finds it filled.
    assert!(moved(&files("from h import HANDLERS, start\n"), fields).is_ok());
    for adds in [
        "register(A)\n",
        "for c in (A,):\n    c.x = 1\n",
        "setattr(A, 'x', 1)\n",
    ] {
        let old = format!("class A: ...\n\n\n{adds}");
        let files = [
            ("h.py", old.as_str()),
            ("r.py", ""),
            ("main.py", "from h import A\n"),
        ];
        refused(&files, "symbol: A, to: r.py", "unsupported", "h.py, line 4");
    }
    // So is a registry of the classes below one.
    for base in [
        "class Base:\n    def __init_subclass__(cls): ...\n",
        "Base = declarative_base()\n",
    ] {
        let old = format!("from x import declarative_base\n\n\n{base}\n\nclass User(Base): ...\n");
        let files = |main: &'static str| {
            let old: &'static str = Box::leak(old.clone().into_boxed_str());
            [("m.py", old), ("env.py", main)]
        };
        let fields = "symbol: Base, to: base.py";
        let main = "from m import Base\n";
        refused(&files(main), fields, "unsupported", "adds to `Base`");
        assert!(moved(&files("from m import Base, User\n"), fields).is_ok());
    }
    // A decorator that wraps may keep, too.
    let reg = "import functools\n\nTOOLS = {}\n\n\ndef tool(f):\n    @functools.wraps(f)\n    def inner(): ...\n    TOOLS[f.__name__] = inner\n    return inner\n";
    let files = [
        ("t.py", "from reg import tool\n\n\n@tool\ndef f(): ...\n"),
        ("reg.py", reg),
        ("main.py", "import t\n"),
    ];
    refused(&files, "symbol: f, to: u.py", "not-certain", "`tool`");
}

#[test]
fn a_definition_stands_before_what_may_call_it_while_it_is_made() {
    let util = ("util.py", "def helper(): ...\n");
    let head = "from util import helper\n";
    for (before, after) in [
        (
            "import enum\n",
            "class L(enum.Enum):\n    A = 1\n\n    def __init__(self, v):\n        helper()\n",
        ),
        (
            "from other import now\n",
            "@now\ndef g():\n    return helper()\n",
        ),
        (
            "from other import Base\n",
            "class S(Base):\n    def setup(self):\n        helper()\n",
        ),
    ] {
        let old = format!("{before}{head}\n\n{after}");
        let new = format!("{before}\n\ndef helper(): ...\n\n\n{after}");
        check(
            &[util, ("n.py", &old)],
            "symbol: helper, to: n.py",
            &[("util.py", ""), ("n.py", &new)],
        );
        // Most do not, so that who says where has it there.
        let fields = match after.split_whitespace().nth(1) {
            Some(word) if word.starts_with(['L', 'S']) => {
                format!("symbol: helper, to: {{file: n.py, symbol: {}}}", &word[..1])
            }
            _ => "symbol: helper, to: {file: n.py, symbol: g}".to_owned(),
        };
        assert!(moved(&[util, ("n.py", &old)], &fields).is_ok());
    }
}

#[test]
fn a_test_stays_where_its_fixtures_are() {
    let files = [
        ("tests/a/test_x.py", "def test_1(db): ...\n"),
        (
            "tests/a/conftest.py",
            "import pytest\n\n\n@pytest.fixture\ndef db(): ...\n",
        ),
    ];
    refused(
        &files,
        "symbol: test_1, to: tests/test_y.py",
        "unsupported",
        "`db` of tests/a/conftest.py",
    );
    assert!(moved(&files, "symbol: test_1, to: tests/a/test_y.py").is_ok());
    let own = [(
        "test_x.py",
        "import pytest\n\n\n@pytest.fixture\ndef db(): ...\n\n\ndef test_1(db): ...\n",
    )];
    refused(&own, "symbol: test_1, to: test_y.py", "unsupported", "`db`");
    for (fixture, test) in [
        (
            "@pytest.fixture(name='box')\ndef _box(): ...",
            "def test_1(box): ...",
        ),
        (
            "@pytest.fixture\ndef box(): ...",
            "@pytest.mark.usefixtures('box')\ndef test_1(): ...",
        ),
        (
            "@pytest.fixture\ndef box(): ...",
            "def test_1(request):\n    request.getfixturevalue(\"box\")",
        ),
    ] {
        let text = format!("import pytest\n\n\n{fixture}\n\n\n{test}\n");
        let files = [("test_x.py", text.as_str())];
        refused(
            &files,
            "symbol: test_1, to: test_y.py",
            "unsupported",
            "`box`",
        );
    }
}
