//! Tables for the whole room: what a reader would point at, in the words of the file itself.

use super::*;
use crate::syntax::grammar::Grammar;
use crate::syntax::{DecorationKind, Outline, SegmentKind, Symbol};
use crate::text::Span;
use crate::text::indent::LineRole;

/// Returns the Python files of this project, and those below the folder that `SEGEDIT_CORPUS` names, sorted.
pub(crate) fn files() -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = ["benches", "tests"]
        .map(|folder| root.join(folder))
        .to_vec();
    folders.extend(std::env::var_os("SEGEDIT_CORPUS").map(std::path::PathBuf::from));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind)
                    if kind.is_file() && path.extension().is_some_and(|ending| ending == "py") =>
                {
                    files.push(path)
                }
                _ => {}
            }
        }
    }
    files.sort();
    files
        .into_iter()
        .map(|file| (file.clone(), std::fs::read(file).unwrap()))
        .collect()
}

fn flattened<'a>(symbols: &'a [Symbol], prefix: &str, found: &mut Vec<(String, &'a Symbol)>) {
    for symbol in symbols {
        let name = format!("{prefix}{}", symbol.name);
        found.push((name.clone(), symbol));
        flattened(&symbol.children, &format!("{name}."), found);
    }
}

fn names(outline: &Outline) -> String {
    let mut found = Vec::new();
    flattened(&outline.symbols, "", &mut found);
    let words: Vec<String> = found
        .iter()
        .map(|(name, symbol)| format!("{} {name}", symbol.kind))
        .collect();
    words.join(", ")
}

#[test]
fn names_and_kinds() {
    let check = |source: &str, expected: &str| {
        assert_eq!(
            names(&Python.outline(source.as_bytes())),
            expected,
            "{source:?}"
        );
        assert_eq!(
            names(&recovered_outline(source.as_bytes())),
            expected,
            "recovered {source:?}"
        );
    };
    check("", "");
    check("# only this", "");
    check("def f(): pass", "function f");
    check("async def f():\n    await g()\n", "function f");
    check(
        "class A:\n    def f(self): pass\n    async def g(self): pass\n",
        "class A, method A.f, method A.g",
    );
    check(
        "class A:\n    class B:\n        class C: x = 1\n",
        "class A, class A.B, class A.B.C, variable A.B.C.x",
    );
    check(
        "def build():\n    def helper(): pass\n    class K:\n        v = 1\n",
        "function build, function build.helper, class build.K, variable build.K.v",
    );
    check(
        "class A:\n    def f(self):\n        def g(): pass\n",
        "class A, method A.f, function A.f.g",
    );
    check(
        "X = 1\nY: int = 2\nZ: int\n",
        "variable X, variable Y, variable Z",
    );
    check(
        "a = b = 1\nc, d = 1, 2\ne.f = 1\ng[0] = 1\nh += 1\n(i) = 1\n",
        "variable i",
    );
    check("def f():\n    x = 1\n", "function f");
    check(
        "if a:\n    def f(): pass\nelif b:\n    def f(): pass\nelse:\n    x = 1\n",
        "function f, function f, variable x",
    );
    check(
        "try:\n    import j\nexcept E:\n    j = None\nelse:\n    k = 1\nfinally:\n    l = 1\n",
        "variable j, variable k, variable l",
    );
    check(
        "with a:\n  for x in y:\n    while z:\n      v = 1\n",
        "variable v",
    );
    check(
        "class A:\n  if c:\n    def f(self): pass\n",
        "class A, method A.f",
    );
    check(
        "match x:\n    case 1:\n        def f(): pass\n",
        "function f",
    );
    check("a = 1; b = 2; import c\n", "variable a, variable b");
    check("f = lambda: 0\n", "variable f");
    check(
        "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): ...\n",
        "function f, function f, function f",
    );
    check(
        "s = '''\ndef x():\n    pass\n'''\nt = f'{1:{2}}'\n",
        "variable s, variable t",
    );
    check("def naïve(): pass\n", "function naïve");
}

#[test]
fn broken_files_give_what_can_be_told() {
    let check = |source: &[u8], expected: &str| {
        assert_eq!(
            names(&Python.outline(source)),
            expected,
            "{:?}",
            String::from_utf8_lossy(source)
        );
    };
    check(
        b"print 'hello'\ndef f():\n    print 'x'\nclass A:\n    def g(self):\n        raise E, 'x'\n",
        "function f, class A, method A.g",
    );
    check(
        b"def f(:\n    pass\n\ndef g():\n    pass\n",
        "function f, function g",
    );
    check(
        b"def f():\n    return 1)\n\ndef g():\n    pass\n",
        "function f, function g",
    );
    check(
        b"def f():\n    x = 'caf\xe9'\nY = 1\n",
        "function f, variable Y",
    );
    check(b"caf\xe9 = 1\n", "variable caf\u{fffd}");
    check(b"\xff\xfe\x00", "");
}

#[test]
fn a_comment_belongs_to_one_segment_however_broken_the_file() {
    let source = "class A:p\n    # whose\n    async:e";
    let outline = Python.outline(source.as_bytes());
    assert_eq!(names(&outline), "class A, variable async");
    let [class, variable] = outline.symbols.as_slice() else {
        unreachable!("two were named")
    };
    assert_eq!((class.trailing, variable.decorations.len()), (None, 1));
    let deeper_than_its_parent =
        "x\no    def v(self): y\n    class A:\n        def g(): pass\n      # whose\n";
    let outline = recovered_outline(deeper_than_its_parent.as_bytes());
    let mut found = Vec::new();
    flattened(&outline.symbols, "", &mut found);
    for (name, symbol) in found {
        let inside = |child: &Symbol| symbol.whole().contains(child.whole());
        assert!(symbol.children.iter().all(inside), "{name}");
    }
    // The parser takes the comment for the end of the first one's header.
    let outline = Python.outline(b"def f(:\"\n#\ne:\xc2");
    let [function, variable] = outline.symbols.as_slice() else {
        unreachable!("two were named")
    };
    assert!(
        function.whole().end <= variable.whole().start,
        "{function:?} {variable:?}"
    );
}

#[test]
fn what_looks_like_a_border_in_a_docstring_is_a_part_of_it() {
    let source =
        b"x = 1\n\"\"\"Doc.\n# region\n\"\"\"\n\nclass A:\n    y = 1\n    # tail\n    # region\n";
    let outline = Python
        .outline(source)
        .with_own_comments(source, &language::PYTHON.habits);
    assert_eq!(
        parts(&outline, source, "x"),
        [
            ("definition", "x = 1".to_owned()),
            ("signature", "x = 1".to_owned()),
            ("body", "1".to_owned()),
            ("docstring", "\"\"\"Doc.\n# region\n\"\"\"".to_owned()),
            ("trailing", "\"\"\"Doc.\n# region\n\"\"\"".to_owned()),
        ]
    );
    let class = parts(&outline, source, "A");
    assert!(
        class.contains(&("trailing", "# tail".to_owned())),
        "{class:?}"
    );
}

/// Says what is in each part of the symbol called `name`.
fn parts(outline: &Outline, source: &[u8], name: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    flattened(&outline.symbols, "", &mut found);
    let (_, symbol) = found
        .into_iter()
        .find(|(found, _)| found == name)
        .expect("the name is in the outline");
    let text = |span: Span| String::from_utf8_lossy(span.of(source)).into_owned();
    let mut parts = vec![("definition", text(symbol.definition))];
    for decoration in &symbol.decorations {
        let sort = match decoration.sort {
            DecorationKind::Decorator => "decorator",
            DecorationKind::Comment => "comment",
        };
        parts.push((sort, text(decoration.span)));
    }
    parts.push(("signature", text(symbol.signature)));
    parts.extend(symbol.body.map(|span| ("body", text(span))));
    parts.extend(symbol.docstring.map(|span| ("docstring", text(span))));
    parts.extend(symbol.trailing.map(|span| ("trailing", text(span))));
    parts
}

fn check_parts(source: &str, name: &str, expected: &[(&'static str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(part, text)| (*part, (*text).to_owned()))
        .collect();
    let bytes = source.as_bytes();
    assert_eq!(
        parts(&Python.outline(bytes), bytes, name),
        expected,
        "{source:?}"
    );
    assert_eq!(
        parts(&recovered_outline(bytes), bytes, name),
        expected,
        "recovered {source:?}"
    );
}

#[test]
fn parts_of_a_definition() {
    check_parts(
        "def f(a,\n      b=':') -> int :  # note\n    # first\n    \"\"\"Doc.\"\"\"\n    return 1\n    # deeper\n\n    # deeper still\n\n# not mine\n",
        "f",
        &[
            (
                "definition",
                "def f(a,\n      b=':') -> int :  # note\n    # first\n    \"\"\"Doc.\"\"\"\n    return 1",
            ),
            ("signature", "def f(a,\n      b=':') -> int"),
            ("body", "# first\n    \"\"\"Doc.\"\"\"\n    return 1"),
            ("docstring", "\"\"\"Doc.\"\"\""),
            ("trailing", "# deeper\n\n    # deeper still"),
        ],
    );
    check_parts(
        "class A(B, metaclass=M): x = 1; y = 2;\n",
        "A",
        &[
            ("definition", "class A(B, metaclass=M): x = 1; y = 2;"),
            ("signature", "class A(B, metaclass=M)"),
            ("body", "x = 1; y = 2;"),
        ],
    );
    check_parts(
        "def f(): pass ;\n",
        "f",
        &[
            ("definition", "def f(): pass ;"),
            ("signature", "def f()"),
            ("body", "pass ;"),
        ],
    );
    check_parts(
        "class A:\n    @property\n    async def f(self):\n        pass\n",
        "A.f",
        &[
            ("definition", "async def f(self):\n        pass"),
            ("decorator", "@property"),
            ("signature", "async def f(self)"),
            ("body", "pass"),
        ],
    );
    check_parts(
        "class A:\n\n    # above f\n    @d\n    def f(self): 'doc'\n",
        "A",
        &[
            (
                "definition",
                "class A:\n\n    # above f\n    @d\n    def f(self): 'doc'",
            ),
            ("signature", "class A"),
            ("body", "# above f\n    @d\n    def f(self): 'doc'"),
        ],
    );
    check_parts(
        "def f():\n    b'no doc'\n",
        "f",
        &[
            ("definition", "def f():\n    b'no doc'"),
            ("signature", "def f()"),
            ("body", "b'no doc'"),
        ],
    );
}

#[test]
fn parts_of_a_variable() {
    check_parts(
        "# why\nX = (\n    1\n)  # note\n",
        "X",
        &[
            ("definition", "X = (\n    1\n)"),
            ("comment", "# why"),
            ("signature", "X = (\n    1\n)"),
            ("body", "(\n    1\n)"),
        ],
    );
    check_parts(
        "X: Dict[str, int] = {}\n",
        "X",
        &[
            ("definition", "X: Dict[str, int] = {}"),
            ("signature", "X: Dict[str, int] = {}"),
            ("body", "{}"),
        ],
    );
    check_parts(
        "X: int\n",
        "X",
        &[("definition", "X: int"), ("signature", "X: int")],
    );
    check_parts(
        "X = a == (b), c\n",
        "X",
        &[
            ("definition", "X = a == (b), c"),
            ("signature", "X = a == (b), c"),
            ("body", "a == (b), c"),
        ],
    );
    check_parts(
        "# of a\na = 1; b = 2\n",
        "b",
        &[
            ("definition", "b = 2"),
            ("signature", "b = 2"),
            ("body", "2"),
        ],
    );
    check_parts(
        "X = lambda x=1: x\n",
        "X",
        &[
            ("definition", "X = lambda x=1: x"),
            ("signature", "X = lambda x=1: x"),
            ("body", "lambda x=1: x"),
        ],
    );
}

#[test]
fn decorations() {
    let check = |source: &str, expected: &[(&'static str, &str)]| {
        for outline in [
            Python.outline(source.as_bytes()),
            recovered_outline(source.as_bytes()),
        ] {
            let parts = parts(&outline, source.as_bytes(), "f");
            let own: Vec<_> = parts
                .iter()
                .filter(|(part, _)| matches!(*part, "decorator" | "comment"))
                .collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|(part, text)| (*part, (*text).to_owned()))
                .collect();
            assert_eq!(own, expected.iter().collect::<Vec<_>>(), "{source:?}");
        }
    };
    check(
        "# a\n# b\ndef f(): pass\n",
        &[("comment", "# a"), ("comment", "# b")],
    );
    check("# a\n\n# b\ndef f(): pass\n", &[("comment", "# b")]);
    check("# a\n\ndef f(): pass\n", &[]);
    check("x = 1\n# b\ndef f(): pass\n", &[("comment", "# b")]);
    check("x = 1  # of x\ndef f(): pass\n", &[]);
    check("    # deeper\n# b\ndef f(): pass\n", &[("comment", "# b")]);
    check("if x:\n    pass\n    # deeper\ndef f(): pass\n", &[]);
    check(
        "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# b\ndef f(): pass\n",
        &[("comment", "# b")],
    );
    check("#!/usr/bin/python\ndef f(): pass\n", &[]);
    check("# a\n# vim: fileencoding=utf-8\ndef f(): pass\n", &[]);
    check(
        "# a\n# b\n# coding: no cookie here\ndef f(): pass\n",
        &[
            ("comment", "# a"),
            ("comment", "# b"),
            ("comment", "# coding: no cookie here"),
        ],
    );
    check("\u{feff}#!x\n# b\ndef f(): pass\n", &[("comment", "# b")]);
    check("\u{feff}# b\ndef f(): pass\n", &[("comment", "# b")]);
    check(
        "# a\r\n# b\r\ndef f(): pass\r\n",
        &[("comment", "# a"), ("comment", "# b")],
    );
    check(
        "# a\n@b  # c\n# d\n\n@e(\n    # inside\n)\n  # g\ndef f(): pass\n",
        &[
            ("comment", "# a"),
            ("decorator", "@b  # c"),
            ("comment", "# d"),
            ("decorator", "@e(\n    # inside\n)"),
            ("comment", "# g"),
        ],
    );
    check("s = '''\n# text'''\ndef f(): pass\n", &[]);
    check("\x0c# page\ndef f(): pass\n", &[("comment", "# page")]);
}

#[test]
fn carriage_returns_alone_end_lines_too() {
    let source = b"# a\rX = 1\r# b\rdef f():\r    pass\r    # tail\r";
    let outline = Python.outline(source);
    assert_eq!(names(&outline), "variable X, function f");
    assert_eq!(
        parts(&outline, source, "f"),
        [
            ("definition", "def f():\r    pass".to_owned()),
            ("comment", "# b".to_owned()),
            ("signature", "def f()".to_owned()),
            ("body", "pass".to_owned()),
            ("trailing", "# tail".to_owned()),
        ]
    );
}

#[test]
fn fragments() {
    let check = |fragment: &str, parent: Option<SegmentKind>, expected: &str, first: &str| {
        let outline = Python.fragment_outline(fragment.as_bytes(), parent);
        assert_eq!(names(&outline), expected, "{fragment:?}");
        let text = outline
            .symbols
            .first()
            .map(|symbol| symbol.whole().of(fragment.as_bytes()));
        assert_eq!(
            text,
            (!first.is_empty()).then_some(first.as_bytes()),
            "{fragment:?}"
        );
    };
    check(
        "def f(self):\n    pass\n",
        Some(SegmentKind::Class),
        "method f",
        "def f(self):\n    pass",
    );
    check(
        "def f(self):\n    pass\n",
        None,
        "function f",
        "def f(self):\n    pass",
    );
    check(
        "def f():\n    pass\n",
        Some(SegmentKind::Method),
        "function f",
        "def f():\n    pass",
    );
    check(
        "    @d\n    def f(self):\n        pass\n\n    x = 1\n",
        Some(SegmentKind::Class),
        "method f, variable x",
        "@d\n    def f(self):\n        pass",
    );
    check(
        "\n# c\n\tdef f(self):\n\t\tpass\n",
        Some(SegmentKind::Class),
        "method f",
        "def f(self):\n\t\tpass",
    );
    check("x = 1\n", Some(SegmentKind::Function), "", "");
    check("return 1\n", Some(SegmentKind::Function), "", "");
    check(
        "    def f(self):\n        print 1\n    def g(self):\n        pass\n",
        Some(SegmentKind::Class),
        "method f, method g",
        "def f(self):\n        print 1",
    );
}

#[test]
fn errors_are_those_of_cpython() {
    let check = |source: &str, expected: Option<usize>| {
        let found = Python.errors(source.as_bytes());
        assert_eq!(
            found.first().map(|error| error.offset),
            expected,
            "{source:?}: {found:?}"
        );
    };
    check("", None);
    check("x = 1\n", None);
    check("def f(:\n  pass\n", Some(6));
    check("x = 'a\n", Some(4));
    check("if x:\npass\n", Some(6));
    check("return 1\n", Some(0));
    check("def f(a, a): pass\n", Some(9));
    check("break\n", Some(0));
    check("for x in y:\n    def f(): break\n", Some(25));
    check("for x in y: pass\nelse: break\n", Some(23));
    check("def f():\n    await x\n", Some(13));
    check(
        "async def f():\n    [await x for x in y]\n    lambda: await x\n",
        Some(52),
    );
    check("x = (await y for y in z)\n", None);
    check("class C:\n    yield 1\n", Some(13));
    check("nonlocal x\n", Some(0));
    check("def f():\n    nonlocal x\n", Some(22));
    check(
        "def f():\n    def g():\n        nonlocal x\n    x = 1\n",
        None,
    );
    check(
        "class C:\n    def f(self):\n        nonlocal __class__\n",
        None,
    );
    check("def f(x):\n    global x\n", Some(21));
    check("def f():\n    x = 1\n    global x\n", Some(30));
    check("def f():\n    import x.y\n    global x\n", Some(35));
    check(
        "def f():\n    global x\n    [x for y in x]\n    global x\n",
        Some(52),
    );
    check("def f():\n    [x for y in z]\n    global x\n", None);
    check("def f():\n    global x\n    x: int = 1\n", Some(26));
    check("try: pass\nexcept: pass\nexcept E: pass\n", Some(10));
    check(
        "def f():\n    try: pass\n    except* E:\n        for x in y:\n            return\n",
        Some(70),
    );
    check("*x\n", Some(0));
    check("f(__debug__=1)\n", Some(2));
    check("print 'x'\n", Some(6));
    check("if 1:\n        x\n\ty\n", Some(16));
    check(
        "type X[T = int] = list[T]\nx = t'{1}'\ntry: pass\nexcept A, B: pass\n",
        None,
    );
    check("x = 'caf\u{e9}' \u{e9}\n", Some(12));
    check("x = '\\N{no such name}'\n", Some(8));
}

#[test]
fn latin_1_is_no_error() {
    assert_eq!(
        Python.errors(b"# coding: latin-1\nx = 'caf\xe9'\ncaf\xe9 = 1\n"),
        []
    );
}

#[test]
fn roles_of_lines() {
    use LineRole::{Blank, Code, Continuation, Docstring, Frozen};
    let check_inside = |parent: Option<SegmentKind>, fragment: &str, expected: &[LineRole]| {
        assert_eq!(
            Python.line_roles(fragment.as_bytes(), parent),
            expected,
            "{fragment:?}"
        );
    };
    let check = |fragment: &str, expected: &[LineRole]| check_inside(None, fragment, expected);
    check("", &[]);
    check("x = 1\n\n  \ny = 2", &[Code, Blank, Blank, Code]);
    check(
        "f(\n  1,\n\n  # c\n)\n# c\n",
        &[
            Code,
            Continuation(0),
            Blank,
            Continuation(0),
            Continuation(0),
            Code,
        ],
    );
    check("x = 1 + \\\n  2\ny\n", &[Code, Continuation(0), Code]);
    check("x = '''\n a\n\n'''\n", &[Code, Frozen, Frozen, Frozen]);
    check(
        "x = f'''\n {a +\n b}\n'''\ny\n",
        &[Code, Frozen, Frozen, Frozen, Code],
    );
    check("x = f'{f'''\n'''}'\n", &[Code, Frozen]);
    check("x = t'''\n'''\n", &[Code, Frozen]);
    check("x = 'a\\\n  b'\n", &[Code, Frozen]);
    check(
        "def f():\n    '''A\n\n    b\n    '''\n    x\n",
        &[Code, Code, Docstring(1), Docstring(1), Docstring(1), Code],
    );
    check("class A: '''A\n  b'''\n", &[Code, Docstring(0)]);
    // Of an attribute.
    check("self.x = 1\n'''A\nb'''\n", &[Code, Code, Docstring(1)]);
    check(
        "x: int\n\n# c\n'''A\nb'''\n",
        &[Code, Blank, Code, Code, Docstring(3)],
    );
    check("f()\n'''A\nb'''\n", &[Code, Code, Frozen]);
    check("if x:\n  y = 1\n'''A\nb'''\n", &[Code, Code, Code, Frozen]);
    check("x = '''A\nb'''\n", &[Code, Frozen]);
    check("'''A\nb'''\n", &[Code, Docstring(0)]);
    check(
        "def f():\n    # c\n\n    r'''A\\\n    b'''\n",
        &[Code, Code, Blank, Code, Docstring(3)],
    );
    check(
        "def f():\n    '''A \\\n      b\n    c'''\n",
        &[Code, Code, Frozen, Docstring(1)],
    );
    check(
        "def f():\n    '''A''' \\\n    '''b\n    c'''\n",
        &[Code, Code, Continuation(1), Docstring(1)],
    );
    check(
        "def f():\n    ('''A\n    b''')\n",
        &[Code, Code, Docstring(1)],
    );
    check(
        "def f():\n    '''A\n    b'''.strip()\n",
        &[Code, Code, Frozen],
    );
    check("def f():\n    b'''A\n    b'''\n", &[Code, Code, Frozen]);
    check("def f():\n    f'''A\n    b'''\n", &[Code, Code, Frozen]);
    check(
        "def f():\n    x\n    '''A\n    b'''\n",
        &[Code, Code, Code, Frozen],
    );
    check(
        "def f(a={1: 2}, b=lambda: 3) -> x[1:2]:\n    '''A\n    b'''\n",
        &[Code, Code, Docstring(1)],
    );
    check("if x:\n    '''A\n    b'''\n", &[Code, Code, Frozen]);
    check(
        "@d\nasync def f():\n    '''A\n    b'''\n",
        &[Code, Code, Code, Docstring(2)],
    );
    check(
        "    def f(self):\n        '''A\n        b'''\n  x\n",
        &[Code, Code, Docstring(1), Code],
    );
    check("x = '''\n a\n", &[Code, Frozen]);
    check("x = f'''\n a\n", &[Code, Frozen]);
    check("f(\r\n  1)\r\n\r\n", &[Code, Continuation(0), Blank]);
    check_inside(
        Some(SegmentKind::Variable),
        "'''A\n  b'''\n",
        &[Code, Frozen],
    );
    check_inside(
        Some(SegmentKind::Function),
        "'''A\n  b'''\n",
        &[Code, Docstring(0)],
    );
}

#[test]
fn comments_are_no_strings() {
    let source = "# a\nx = '# no'  # b\r\n'''\n# no\n'''\nf(  # c\n)\n";
    let found: Vec<&str> = Python
        .comments(source.as_bytes())
        .iter()
        .map(|span| &source[span.start..span.end])
        .collect();
    assert_eq!(found, ["# a", "# b", "# c"]);
}

#[test]
fn nesting_never_overflows_the_stack() {
    let (deep, deeper) = (5_000, 100_000);
    let nested = |open: &str, inner: &str, close: &str| {
        format!("x = {}{inner}{}\n", open.repeat(deep), close.repeat(deep))
    };
    let blocks: String = (0..2_000)
        .map(|depth| format!("{}if 1:\n", " ".repeat(depth)))
        .collect();
    let hostile = [
        "(".repeat(deeper),
        nested("(", "1", ")"),
        nested("[", "", ""),
        nested("{1:", "1", "}"),
        nested("f(", "1", ")"),
        "not ".repeat(deeper),
        nested("not ", "1", ""),
        nested("-", "1", ""),
        nested("1+", "1", ""),
        nested("1**", "1", ""),
        nested("lambda a, b: ", "1", ""),
        nested("1 if 1 else ", "1", ""),
        nested("a", "", ".b"),
        nested("a", "", "()"),
        nested("await ", "1", ""),
        nested("*", "1", ""),
        nested("f'{", "1", "}'"),
        nested("1 and 2 or ", "1", ""),
        nested("\"", "", ""),
        blocks,
        "async ".repeat(deep),
        "@".repeat(deep),
        "elif 1: pass\n".repeat(deep),
        "match x:\n case ".to_owned() + &"[".repeat(deep),
        "def f():\n".repeat(1_000),
    ];
    for source in &hostile {
        let source = source.as_bytes();
        Python.outline(source);
        Python.fragment_outline(source, Some(SegmentKind::Class));
        Python.comments(source);
        Python.line_roles(source, None);
        let errors = Python.errors(source);
        let shown = String::from_utf8_lossy(&source[..source.len().min(20)]).into_owned();
        let refused = ["((", "x = ((", "x = [[", "x = {1", "if 1:", "async"];
        assert!(
            !errors.is_empty() || !refused.iter().any(|start| shown.starts_with(start)),
            "{shown:?}"
        );
    }
}

#[test]
fn bearable_nesting_is_read() {
    for source in [
        format!("x = {}1{}\n", "(".repeat(199), ")".repeat(199)),
        format!("x = {}1\n", "1 + ".repeat(3_000)),
        format!("x = {}1\n", "not ".repeat(3_000)),
        format!("x = a{}\n", ".b()".repeat(3_000)),
        format!("x = {}1\n", "lambda: ".repeat(3_000)),
        (0..99)
            .map(|depth| format!("{}if 1:\n", " ".repeat(depth)))
            .collect::<String>()
            + &" ".repeat(99)
            + "x = 1\n",
    ] {
        assert_eq!(Python.errors(source.as_bytes()), []);
        assert_eq!(names(&Python.outline(source.as_bytes())), "variable x");
    }
}
