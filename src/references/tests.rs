//! Each row is a project as text in which every place of a word is marked with what it is: `!` certain, `?` unsure, `~` a mention, and
//! no mark something else.

use super::{Analysis, References, Verdict, references, rename};
use crate::diagnostic::Code;
use crate::manifest::{OnUnsure, RenameTerms, SymbolSelector};
use crate::path::RepoPath;
use crate::snapshot::Project;

pub(super) const MARKS: [char; 3] = ['!', '?', '~'];

pub(super) fn project(files: &[(&str, &str)], word: &str) -> Project {
    let mut project = Project::default();
    for (path, text) in files {
        let mut plain = (*text).to_owned();
        for mark in MARKS {
            plain = plain.replace(&format!("{word}{mark}"), word);
        }
        let path = RepoPath::parse(path).unwrap();
        project.files.insert(path, plain.into_bytes().into());
    }
    project
}

/// Returns the text of a file with its places marked.
pub(super) fn marked(project: &Project, path: &str, found: &References) -> String {
    let path = RepoPath::parse(path).unwrap();
    let mut text = project.files[&path].to_vec();
    let here = found.places.iter().filter(|place| place.path == path);
    for place in here.rev() {
        let mark = match place.verdict {
            Verdict::Certain => "!",
            Verdict::Unsure => "?",
            Verdict::Mention => "~",
            Verdict::Other => continue,
        };
        text.splice(place.span.end..place.span.end, mark.bytes());
    }
    String::from_utf8(text).unwrap()
}

/// Checks the marks of every file.
fn check_all(files: &[(&str, &str)], symbol: &str) {
    let word = symbol
        .rsplit(['.', '('])
        .next()
        .unwrap()
        .trim_end_matches(')');
    let project = project(files, word);
    let path = RepoPath::parse(files[0].0).unwrap();
    let symbol = SymbolSelector::parse(symbol).unwrap();
    let found = references(&Analysis::of(&project), &path, &symbol).unwrap();
    for (path, text) in files {
        assert_eq!(marked(&project, path, &found), *text, "{path}");
    }
}

/// Checks the marks of one file.
fn check(text: &str, symbol: &str) {
    check_all(&[("a.py", text)], symbol);
}

#[test]
fn scopes_are_pythons() {
    check("x! = 1\ndef f():\n    return x!\n", "x");
    check("x! = 1\ndef f():\n    x = 2\n    return x\n", "x");
    check("x = 1\ndef f():\n    x! = 2\n    return x!\n", "f.x");
    check("x! = 1\ndef f():\n    global x!\n    x! = 2\n", "x");
    check(
        "def f():\n    x! = 1\n    def g():\n        nonlocal x!\n        x! += 1\n    x!\n",
        "f.x",
    );
    check(
        "x! = 1\nclass A:\n    x = x!\n    y = x\n    def f(self): return x!\n",
        "x",
    );
    check(
        "x! = 1\nclass A:\n    y = [x! for _ in x!]\n    x = 2\n",
        "x",
    );
    check("x! = 1\ny = [x for x in x!]\n", "x");
    check(
        "x! = 1\ny = lambda x: x\nz = lambda: x!\nw = lambda y=x!: y\n",
        "x",
    );
    check("def f(xs):\n    return [y! := x for x in xs], y!\n", "f.y");
    check("x! = 1\ndel x!\nx! = 2\n", "x");
    check("x! = 1\ndef f(a: x! = x!) -> x!: ...\n", "x");
    check("x! = 1\n@x!\ndef f(x): ...\n", "x");
    check(
        "class T!: ...\ndef f[T](a: T) -> T: ...\ndef g(a: T!): ...\n",
        "T",
    );
    check(
        "def f():\n    try: ...\n    except E as x!:\n        x!\n",
        "f.x",
    );
    check("x! = 1\nf'{x!} {x!:{x!}} x~'\n", "x");
    check(
        "def f(a):\n    match a:\n        case {'k': x!, **r} | [x!, *r]: x!\n",
        "f.x",
    );
    check("x! = 1\nmatch 1:\n    case x!.y: ...\n", "x");
    check("x! = 1\nfor x! in x!: ...\nwith x! as x!: ...\n", "x");
    // A name that is built in until it is bound.
    check("open! = open\nopen!()\n", "open");
    check(
        "if 1:\n    def f!(): ...\nelse:\n    def f!(): ...\nf!()\n",
        "f",
    );
    check(
        "class A:\n    def __x!(self): self.__x!()\nclass B:\n    def __x(self): self.__x()\n",
        "A.__x",
    );
}

#[test]
fn a_chain_of_calls_is_looked_at_once() {
    let calls = "\n    .where(1)".repeat(60);
    let text = format!(
        "class Q:\n    def where(self, x) -> 'Q':\n        return self\n    def limit!(self): ...\nq = (Q(){calls}\n    .limit!())\n"
    );
    check(&text, "Q.limit");
    // What leads to itself may be anything.
    let text = format!("class Q:\n    def limit!(self): ...\nq = r.limit?()\nr = (r{calls})\n");
    check(&text, "Q.limit");
}

#[test]
fn modules_that_take_all_of_each_other_have_each_name_once() {
    let mut files = vec![(
        "p/m0.py".to_owned(),
        "from p import *\ndef f!(): ...\n".to_owned(),
    )];
    let mut hub = String::from("from .m0 import *\n");
    for at in 1..12 {
        let others: String = (1..12)
            .map(|it| format!("from .m{it} import *\n"))
            .collect();
        files.push((
            format!("p/m{at}.py"),
            format!("from p import *\n{others}def g{at}(): f!()\n"),
        ));
        hub += &format!("from .m{at} import *\n");
    }
    files.push(("p/__init__.py".to_owned(), hub));
    files.push(("a.py".to_owned(), "from p import f!\nf!()\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    check_all(&files, "f");
}

#[test]
fn strings_that_hold_code_count() {
    check("class A!: ...\nx: 'A!' = 1\ny = 'A~'\n", "A");
    check(
        "class A!: ...\ndef f(x: 'list[A!]', y: Literal['A~']): ...\n",
        "A",
    );
    check(
        "class A!: ...\nx = cast('A!', 1)\nT = TypeVar('T', bound='A!')\n",
        "A",
    );
    check("class A!: ...\nx: Annotated['A!', 'A~'] = 1\n", "A");
    check("T! = TypeVar('T!')\nU = TypeVar('T~')\n", "T");
    check(
        "f! = 1\n__all__ = ['f!', 'g']\n__all__ += ['f!']\n__all__.extend(['f!'])\n",
        "f",
    );
    check(
        "class A:\n    __slots__ = ('x!', 'y')\n    def __init__(self): self.x! = 1\n",
        "A.x",
    );
    check("def f!(): ...\n# f~\n'''f~'''\ngetattr(o, 'f~')\n", "f");
}

#[test]
fn imports_lead_to_definitions() {
    let a = ("a.py", "def f!(): ...\n");
    let check = |text: &str| check_all(&[a, ("b.py", text)], "f");
    check("from a import f!\nf!()\n");
    check("from a import f! as g\ng()\nf = 1\n");
    check("from a import f! as f!\nf!()\n");
    check("import a\na.f!()\nb.f()\n");
    check("import a as z\nz.f!()\n");
    check("from a import *\nf!()\n");
    check("from c import f\nf()\n");
    check("def g():\n    from a import f!\n    f!()\nf()\n");
    check("try:\n    from c import f?\nexcept ImportError:\n    from a import f?\nf?()\n");
    check(
        "import importlib\nm = importlib.import_module('a')\nm.f()\nimportlib.import_module('a').f?()\n",
    );
    check_all(
        &[
            ("src/p/sub/m.py", "def f!(): ...\n"),
            ("src/p/sub/__init__.py", "from .m import f!\n"),
            (
                "src/p/__init__.py",
                "from . import sub\nfrom .sub import f!\n",
            ),
            ("src/p/other.py", "from .sub.m import f!\n"),
            (
                "tests/t.py",
                "import p.sub.m\np.sub.m.f!()\np.f!()\np.sub.f!()\n",
            ),
            ("notes.txt", "f~ and ff\n"),
        ],
        "f",
    );
    check_all(
        &[
            ("p/a.py", "__all__ = ['f!']\ndef f!(): ...\ndef g(): ...\n"),
            (
                "p/__init__.py",
                "from .a import *\n__all__ = a.__all__ + ['f!']\n",
            ),
            ("u.py", "import p\np.f!()\n"),
        ],
        "f",
    );
    check_all(
        &[
            ("a.pyi", "def f!() -> int: ...\n"),
            ("a.py", "def f!(): ...\n"),
            ("b.py", "from a import f!\n"),
        ],
        "f",
    );
}

#[test]
fn files_that_do_not_parse_are_unsure() {
    let broken = "from a import f?\ndef g(:\n    f?() # f~\n";
    check_all(&[("a.py", "def f!(): ...\n"), ("b.py", broken)], "f");
    let through = ("c.py", "from b import *\nfrom b import f?\n");
    check_all(
        &[("a.py", "def f!(): ...\n"), ("b.py", broken), through],
        "f",
    );
}

#[test]
fn receivers_are_what_they_surely_are() {
    let class = "class A:\n    def f!(self): return self.f!()\n";
    let in_function = |body: &str| {
        let body = body.replace('\n', "\n    ");
        check(&format!("{class}def g(x):\n    {body}\n"), "A.f");
    };
    in_function("A().f!()");
    in_function("A.f!(x)");
    in_function("x.f?()");
    in_function("a = A()\na.f!()");
    in_function("a = A() if x else None\na.f!()");
    in_function("a = x or A()\na.f?()");
    in_function("if isinstance(x, A):\n    x.f!()\nx.f?()");
    in_function("assert isinstance(x, A)\nx.f!()");
    in_function("if not isinstance(x, A):\n    return\nx.f!()");
    in_function("if isinstance(x, A):\n    x = 1\n    x.f?()");
    in_function("''.f(), [].f(), {}.f()");
    in_function("type(A()).f!(x), A().__class__.f!(x), nobody.f?()");
    let check = |rest: &str| check(&format!("{class}{rest}"), "A.f");
    check("def g(x: A, y: 'A | None', z: Other, *w: A): x.f!(), y.f!(), z.f(), w.f()\nclass Other: ...\n"
        .replace("z.f()", "z.f?()")
        .as_str());
    check(
        "class B:\n    def __init__(self, a: A):\n        self.a = a\n        self.b = A()\n    def g(self): self.a.f!(), self.b.f!(), self.c.f?()\n",
    );
    check(
        "def make() -> A: ...\nmake().f!()\nasync def later() -> A: ...\nasync def g(): (await later()).f!()\n",
    );
    check("class C(A):\n    def __enter__(self): return self\nwith C() as c: c.f!()\n");
    check(
        "class C(A):\n    def f!(self): super().f!()\n    @classmethod\n    def g(cls): cls.f!(cls())\n    @property\n    def h(self) -> A: ...\nC().h.f!()\n",
    );
    check("def g(xs: list[A]):\n    for x in xs: x.f!()\n    return [y.f!() for y in xs]\n");
    check("class B:\n    def f(self): ...\nB().f()\ndef g(x: 'A | B'): x.f?()\n");
}

#[test]
fn what_may_stand_for_a_class_is_unsure() {
    // A protocol is fitted without a word, from either side.
    let text = "class P(Protocol):\n    def f?(self): ...\nclass A:\n    def f!(self): ...\ndef g(p: P): p.f?()\n";
    check(&format!("from typing import Protocol\n{text}"), "A.f");
    // What a call makes of a class has its attributes.
    let text = "class A:\n    def f!(self): ...\nclass B(mixed(A)):\n    def f!(self): ...\n";
    check(&format!("def mixed(it): ...\n{text}"), "A.f");
    // A decorator may make anything of a function.
    let text = "class A:\n    def f!(self): ...\n@register\ndef g(): ...\ng.f?()\n";
    check(&format!("from z import register\n{text}"), "A.f");
    check_all(
        &[
            ("tests/conftest.py", "@pytest.fixture\ndef app!(): ...\n"),
            ("tests/test_a.py", "def test(app?): app?.run()\n"),
        ],
        "app",
    );
}

#[test]
fn keywords_lead_to_parameters() {
    check("def g(x!, y): return x!\ng(x!=1, y=2)\nh(x=1)\n", "g(x)");
    check("def g(x!): ...\nk = g\ndef use(h): h(x?=1)\n", "g(x)");
    check(
        "def g(x!): ...\nfrom functools import partial\npartial(g, x!=1)\n",
        "g(x)",
    );
    check(
        "class A:\n    def __init__(self, x!): self.x = x!\nA(x!=1)\nclass B(A): ...\nB(x!=2)\n",
        "A.__init__(x)",
    );
    check(
        "class A:\n    def m(self, x!): ...\nclass B(A):\n    def m(self, x!): ...\ndef f(a: A): a.m(x!=1)\nq.m(x?=1)\n",
        "A.m(x)",
    );
    check(
        "@dataclass\nclass P:\n    x!: int\nP(x!=1).x!\nmatch P(x!=2):\n    case P(x!=3): ...\n",
        "P.x",
    );
}

/// Checks what a rename comes to: the text afterwards, or the code of its refusal.
fn check_renamed(text: &str, symbol: &str, to: &str, terms: RenameTerms) -> Result<String, Code> {
    let project = project(&[("a.py", text)], "\0");
    let path = RepoPath::parse("a.py").unwrap();
    let symbol = SymbolSelector::parse(symbol).unwrap();
    let renaming = rename(&Analysis::of(&project), &path, &symbol, (to, terms), |_| {
        Ok(None)
    })
    .map_err(|refused| refused.diagnostic.code)?;
    let mut bytes = text.as_bytes().to_vec();
    for place in renaming.places[&path].iter().rev() {
        bytes.splice(place.span.start..place.span.end, to.bytes());
    }
    Ok(String::from_utf8(bytes).unwrap())
}

#[test]
fn a_name_that_means_something_else_is_refused() {
    let check = |text: &str, symbol: &str, to: &str, clashes: bool| {
        let found = check_renamed(text, symbol, to, RenameTerms::default());
        assert_eq!(found == Err(Code::NameClash), clashes, "{text:?} {found:?}");
    };
    let text = "x = 1\ny = 2\ndef f(a):\n    b = x\n    return len(a)\n";
    for (to, clashes) in [
        ("y", true),
        ("b", true),
        ("a", true),
        ("len", true),
        ("class", true),
        ("1x", true),
        ("a b", true),
        ("__dict__", true),
        ("z", false),
        ("print", false),
        ("match", false),
    ] {
        check(text, "x", to, clashes);
    }
    check("import os\nx = 1\n", "x", "os", true);
    check("def f(x): ...\nf(x=1, z=2)\n", "f(x)", "z", true);
    check(
        "class A:\n    def f(self): ...\nclass B(A):\n    y = 1\n",
        "A.f",
        "y",
        true,
    );
    check(
        "class E(Exception):\n    def f(self): ...\n",
        "E.f",
        "args",
        true,
    );
    check(
        "class E(Exception):\n    def f(self): ...\n",
        "E.f",
        "g",
        false,
    );
    check("class A:\n    def f(self): self.f()\n", "A.f", "__f", false);
    check(
        "class A:\n    def f(self): ...\nA().f()\n",
        "A.f",
        "__f",
        true,
    );
    check(
        "class A:\n    def f(self): ...\nclass B(A):\n    def f(self): ...\n",
        "A.f",
        "__f",
        true,
    );
}

#[test]
fn doubts_are_refused_kept_or_changed() {
    let text = "class A:\n    def f(self): ...\ndef g(x): x.f()\n# f\n";
    let with = |unsure, changes_mentions| {
        let terms = RenameTerms {
            unsure,
            changes_mentions,
            ..RenameTerms::default()
        };
        check_renamed(text, "A.f", "h", terms)
    };
    assert_eq!(with(OnUnsure::Refuse, false), Err(Code::NotCertain));
    let kept = text.replace("def f", "def h");
    assert_eq!(with(OnUnsure::Keep, false), Ok(kept.clone()));
    assert_eq!(
        with(OnUnsure::Change, false),
        Ok(kept.replace("x.f", "x.h"))
    );
    assert_eq!(with(OnUnsure::Keep, true), Ok(kept.replace("# f", "# h")));
    let check = |text: &str, symbol: &str| {
        let refused = check_renamed(text, symbol, "h", RenameTerms::default());
        assert_eq!(refused, Err(Code::NotCertain), "{text:?}");
    };
    check("def f(x): return '%(x)s' % locals()\n", "f(x)");
    check("def f():\n    x = 1\n    return eval('x')\n", "f.x");
    check("@command\ndef f(x): ...\n", "f(x)");
    check("def test_f(x): ...\n", "test_f(x)");
    check(
        "from typing import TypedDict\nclass D(TypedDict):\n    x: int\n",
        "D.x",
    );
    // Nothing says what is in the mapping.
    check("def f(a, x): ...\nd = {'x': 1}\nf(1, **d)\n", "f(x)");
    check("def f(a, x): ...\ndef g(f2): f(*f2, **f2)\n", "f(x)");
    check(
        "from functools import partial\ndef f(a, x): ...\np = partial(f, **o)\n",
        "f(x)",
    );
    check(
        "class A:\n    def __init__(self, x): ...\nA(**o)\n",
        "A.__init__(x)",
    );
    check(
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\nA(**o)\n",
        "A.x",
    );
    let certain = |text: &str, symbol: &str, expected: &str| {
        let renamed = check_renamed(text, symbol, "h", RenameTerms::default());
        assert_eq!(renamed, Ok(expected.to_owned()), "{text:?}");
    };
    certain(
        "def f(x): ...\nf(1, **d)\nf(x=1, **d)\ng(**d)\n",
        "f(x)",
        "def f(h): ...\nf(1, **d)\nf(h=1, **d)\ng(**d)\n",
    );
    // A base that may have it, too.
    let text = "from z import Base\nclass A(Base):\n    def f(self): ...\n";
    let refused = check_renamed(text, "A.f", "h", RenameTerms::default());
    assert_eq!(refused, Err(Code::NotCertain));
}

#[test]
fn types_may_be_defined_further_down() {
    check(
        "def g(x: A, y: 'A'): x.f!(); y.f!()\nclass B:\n    a: A\n    def g(self): self.a.f!()\nclass A:\n    def f!(self): ...\n",
        "A.f",
    );
    for doubt in [
        "def g(x: int): x.f?()\nclass int:\n    def f!(self): ...\n",
        "from z import *\ndef g(x: A): x.f?()\nclass A:\n    def f!(self): ...\n",
        "def g(x: A): x.f?()\nif z:\n    class A:\n        def f!(self): ...\n",
    ] {
        let name = if doubt.contains("int") {
            "int.f"
        } else {
            "A.f"
        };
        check(doubt, name);
    }
}

#[test]
fn attributes_may_be_set_from_outside() {
    let classes = "\
class Client:
    def fetch!(self): ...
class Cached:
    def fetch(self): ...
class Other:
    def get(self): ...
class Service:
    def __init__(self):
        self.client = Client()
    def go(self): return self.client.fetch?()
class Lone:
    def __init__(self):
        self.client = Client()
    def go(self): return self.client.fetch!()
";
    let check = |main: &str, is_doubtful: bool, is_other_doubtful: bool| {
        let mut text = classes.to_owned();
        if !is_doubtful {
            text = text.replace("fetch?", "fetch!");
        } else if is_other_doubtful {
            text = text.replace("client.fetch!", "client.fetch?");
        }
        check_all(&[("app.py", &text), ("main.py", main)], "Client.fetch");
    };
    let start = "from app import *\nimport app\ns = Service()\n";
    let by = |line: &str| format!("{start}{line}\n");
    for line in [
        "s.client = Cached()",
        "s.client = anything()",
        "s.client, x = Cached(), 1",
        "setattr(s, 'client', Cached())",
        "Service.client = Cached()",
        "def prep(s: Service):\n    s.client = Cached()",
        "def test(monkeypatch):\n    monkeypatch.setattr(s, 'client', Cached())",
        "with mock.patch.object(s, 'client', new=Cached()): ...",
        "s.client: Cached = Cached()",
    ] {
        check(&by(line), true, false);
    }
    // Of what nothing is known it may be either.
    check(&by("def prep(s):\n    s.client = Cached()"), true, true);
    for line in [
        "s.client = None",
        "s.client = Client()",
        "s.client = mock.Mock()",
        "s.other = Cached()",
        "del s.client",
        "with mock.patch.object(s, 'client', autospec=True): ...",
        "def prep(s):\n    s.client = Other()",
        "def prep(s):\n    s.client = anything()",
        "def prep(s: Other):\n    s.client = Cached()",
    ] {
        check(&by(line), false, false);
    }
    // The other way round.
    let text = classes
        .replace("fetch!", "fetch")
        .replace("fetch?", "fetch");
    let text = text.replace(
        "class Cached:\n    def fetch",
        "class Cached:\n    def fetch!",
    );
    let place = text.find("client.fetch").unwrap() + "client.fetch".len();
    let (head, tail) = text.split_at(place);
    let text = format!("{head}?{tail}");
    let main = by("s.client = Cached()");
    check_all(&[("app.py", &text), ("main.py", &main)], "Cached.fetch");
    // Another class in the place of it.
    let text = "class A:\n    def f!(self): ...\nclass B:\n    def f(self): ...\ndef g(): return A().f?()\nclass C(A): ...\nC().f!()\n";
    for line in [
        "monkeypatch.setattr(app, 'A', app.B)",
        "monkeypatch.setattr('app.A', app.B)",
        "mock.patch('app.A', app.B).start()",
        "mock.patch('app.A', new=app.B).start()",
        "mock.patch.multiple('app', A=app.B).start()",
        "mock.patch.multiple(app, A=app.B).start()",
    ] {
        let main = format!("import app\n{line}\n");
        check_all(&[("app.py", text), ("main.py", &main)], "A.f");
    }
    let certain = text.replace("f?", "f!");
    for line in [
        "monkeypatch.setattr(app, 'A', lambda: None)",
        "mock.patch('app.A').start()",
        "mock.patch('app.B', app.A)",
    ] {
        let main = format!("import app\n{line}\n");
        check_all(&[("app.py", &certain), ("main.py", &main)], "A.f");
    }
    // A global of a module.
    let text = "class A:\n    def f!(self): ...\nclass B:\n    def f(self): ...\na = A()\ndef g(): a.f?()\n";
    let main = "import app\napp.a = app.B()\n";
    check_all(&[("app.py", text), ("main.py", main)], "A.f");
}
