//! What each verb makes of a small file.

use std::collections::BTreeMap;

use super::{NoServers, Refused, build};
use crate::diagnostic::Code;
use crate::manifest::selector::SymbolComponent;
use crate::manifest::{
    CheckMode, Destination, HeadingSelector, LineRange, Manifest, ManifestText, MatchLevel,
    Operation, Part, Position, ResolveOrder, Scoped, SectionSelector, Selector, SymbolSelector,
    Verb,
};
use crate::path::RepoPath;
use crate::snapshot::{Base, File, HashKind, Snapshot, SnapshotEntry};

fn symbol(name: &str) -> Scoped {
    let (name, index) = match name
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['))
    {
        Some((name, index)) => (name, index.parse().ok()),
        None => (name, None),
    };
    let any_depth = name.starts_with("*.");
    let mut components: Vec<SymbolComponent> = name
        .trim_start_matches("*.")
        .split('.')
        .map(|name| SymbolComponent {
            name: name.to_owned(),
            index: None,
        })
        .collect();
    components.last_mut().unwrap().index = index;
    Scoped::from(Selector::Symbol(SymbolSelector {
        any_depth,
        components,
    }))
}

fn section(heading: &str) -> Scoped {
    let title = heading.trim_start_matches('#');
    let level = heading.len() - title.len();
    let heading = HeadingSelector {
        level: (level > 0).then_some(u8::try_from(level).unwrap()),
        title: title.trim().to_owned(),
    };
    Scoped::from(Selector::Section(SectionSelector {
        path: vec![heading],
    }))
}

fn text(text: &str) -> Scoped {
    Scoped {
        loosest: MatchLevel::Exact,
        ..Scoped::from(Selector::Text(text.to_owned()))
    }
}

fn lines(first: usize, last: usize) -> Scoped {
    Scoped::from(Selector::Lines(LineRange { first, last }))
}

fn replace(selector: Scoped, part: Option<Part>, content: &str) -> Verb {
    Verb::Replace {
        selector: Some(selector),
        part,
        content: content.to_owned(),
        indent: None,
        expect: None,
    }
}

fn insert(selector: Scoped, position: Position, content: &str) -> Verb {
    Verb::Insert {
        part: None,
        selector: Some(selector),
        position: Some(position),
        content: content.to_owned(),
        indent: None,
    }
}

fn delete(selector: Scoped) -> Verb {
    Verb::Delete {
        selector,
        part: None,
        expect: None,
    }
}

fn run(path: &str, before: &str, verbs: Vec<Verb>) -> Result<String, Refused> {
    let path = RepoPath::parse(path).unwrap();
    let file = File {
        mode: crate::snapshot::FileMode::Regular,
        bytes: before.as_bytes().into(),
    };
    let snapshot = Snapshot {
        base: Base::Unborn,
        hash: HashKind::Sha1,
        entries: BTreeMap::from([(path.clone(), SnapshotEntry::File(file))]),
        matches: BTreeMap::new(),
        templates: Default::default(),
        project: Default::default(),
    };
    let operations = verbs
        .into_iter()
        .map(|verb| Operation::on(path.clone(), verb))
        .collect();
    let manifest = Manifest {
        source: ManifestText::default(),
        message: None,
        trailers: Vec::new(),
        author: None,
        destination: Destination::Commit,
        branch: None,
        base: None,
        mode: CheckMode::Strict,
        order: ResolveOrder::Snapshot,
        rules: Default::default(),
        operations,
    };
    let plan = build(&manifest, &snapshot, &NoServers)?;
    let change = plan.candidate.changes().first().cloned();
    Ok(change.map_or(before.to_owned(), |change| {
        String::from_utf8(change.after.unwrap().bytes.to_vec()).unwrap()
    }))
}

#[track_caller]
fn check(path: &str, before: &str, verb: Verb, expected: &str) {
    check_all(path, before, vec![verb], expected);
}

#[track_caller]
fn check_all(path: &str, before: &str, verbs: Vec<Verb>, expected: &str) {
    let after =
        run(path, before, verbs).unwrap_or_else(|refused| panic!("refused: {:#?}", refused.errors));
    assert_eq!(
        after, expected,
        "\n--- got\n{after}\n--- expected\n{expected}"
    );
}

#[track_caller]
fn check_refused(path: &str, before: &str, verb: Verb, code: Code) {
    match run(path, before, vec![verb]) {
        Ok(after) => panic!("accepted:\n{after}"),
        Err(refused) => assert_eq!(refused.errors[0].code, code, "{:#?}", refused.errors),
    }
}

const WORKER: &str = "class Worker:\n    \"\"\"Works.\"\"\"\n\n    # Runs it.\n    @timed\n    def run(self):\n        return 1\n        # done\n\n    def stop(self):\n        return 2\n\n\nLIMIT = 3  # most\n";

#[test]
fn replace_keeps_old_decorations_unless_the_content_brings_its_own() {
    let run = || symbol("Worker.run");
    let with = |old: &str, new: &str| WORKER.replace(old, new);
    let body = "    def run(self):\n        return 1\n";
    check(
        "w.py",
        WORKER,
        replace(run(), None, "def run(self):\n    return 9\n"),
        &with("return 1", "return 9"),
    );
    check(
        "w.py",
        WORKER,
        replace(run(), None, "    def run(self):\n        return 9"),
        &with("return 1", "return 9"),
    );
    check(
        "w.py",
        WORKER,
        replace(run(), None, "@cached\ndef run(self):\n    return 9\n"),
        &with(
            &format!("    @timed\n{body}"),
            "    @cached\n    def run(self):\n        return 9\n",
        ),
    );
    check(
        "w.py",
        WORKER,
        replace(run(), None, "# New.\ndef run(self):\n    return 9\n"),
        &with(
            &format!("    # Runs it.\n    @timed\n{body}"),
            "    # New.\n    @timed\n    def run(self):\n        return 9\n",
        ),
    );
    check(
        "w.py",
        WORKER,
        replace(
            run(),
            None,
            "# New.\n@cached\ndef run(self):\n    return 9\n    # end\n",
        ),
        &with(
            &format!("    # Runs it.\n    @timed\n{body}        # done\n"),
            "    # New.\n    @cached\n    def run(self):\n        return 9\n        # end\n",
        ),
    );
}

#[test]
fn parts_take_just_that() {
    let with = |old: &str, new: &str| WORKER.replace(old, new);
    let run = || symbol("Worker.run");
    check(
        "w.py",
        WORKER,
        replace(run(), Some(Part::Signature), "async def run(self, x):"),
        &with("def run(self):", "async def run(self, x):"),
    );
    check(
        "w.py",
        WORKER,
        replace(run(), Some(Part::Body), "return 5\n"),
        &with("return 1", "return 5"),
    );
    check(
        "w.py",
        WORKER,
        replace(symbol("Worker"), Some(Part::Docstring), "\"\"\"New.\"\"\""),
        &with("Works.", "New."),
    );
    check(
        "w.py",
        WORKER,
        replace(run(), Some(Part::Whole), "def run(self):\n    return 5\n"),
        &with(
            "    # Runs it.\n    @timed\n    def run(self):\n        return 1\n        # done\n",
            "    def run(self):\n        return 5\n",
        ),
    );
    check(
        "f.py",
        "def f(): return 1\n",
        replace(symbol("f"), Some(Part::Body), "return 2"),
        "def f(): return 2\n",
    );
    check(
        "f.py",
        "def f(): return 1\n",
        replace(symbol("f"), Some(Part::Body), "x = 2\nreturn x"),
        "def f():\n    x = 2\n    return x\n",
    );
}

#[test]
fn a_definition_gets_its_first_docstring() {
    let given = |content: &str| replace(symbol("f"), Some(Part::Docstring), content);
    check(
        "f.py",
        "def f(): pass\n",
        given("'D.'"),
        "def f():\n    'D.'\n    pass\n",
    );
    check(
        "f.py",
        "@a\ndef f(\n    x,\n):\n    # why\n    pass\n",
        given("'D.'"),
        "@a\ndef f(\n    x,\n):\n    'D.'\n    # why\n    pass\n",
    );
    check(
        "f.py",
        "class f:\n    x = 1\n",
        given("'D.'"),
        "class f:\n    'D.'\n    x = 1\n",
    );
    check(
        "f.rs",
        "#[a]\nfn f() {}\n",
        given("/// D."),
        "/// D.\n#[a]\nfn f() {}\n",
    );
    check(
        "f.ts",
        "export function f() {}\n",
        given("/** D. */"),
        "/** D. */\nexport function f() {}\n",
    );
    check(
        "f.go",
        "package a\n\nfunc f() {}\n",
        given("// f does."),
        "package a\n\n// f does.\nfunc f() {}\n",
    );
    check(
        "F.java",
        "class A {\n  @X\n  void f() {}\n}\n",
        replace(symbol("A.f"), Some(Part::Docstring), "/**\n * D.\n */"),
        "class A {\n  /**\n   * D.\n   */\n  @X\n  void f() {}\n}\n",
    );
    check_refused("f.ts", "function f() {}\n", given("D."), Code::Unsupported);
    check("f.py", "f = 1\n", given("'D.'"), "f = 1\n'D.'\n");
    check(
        "f.py",
        "class A:\n    f = 1  # one",
        replace(symbol("A.f"), Some(Part::Docstring), "'D.'"),
        "class A:\n    f = 1  # one\n    'D.'",
    );
    check_refused("f.py", "f = 1; g = 2\n", given("'D.'"), Code::Unsupported);
}

#[test]
fn what_is_no_docstring_does_not_take_the_place_of_one() {
    let given = |content: &str| replace(symbol("f"), Some(Part::Docstring), content);
    let python = "def f():\n    \"\"\"D.\"\"\"\n    pass\n";
    for content in ["Deprecated", "return 5", "# D.", "'D.'\nx = 1"] {
        check_refused("f.py", python, given(content), Code::Unsupported);
    }
    let bare = "def f():\n    pass\n";
    for content in [
        "Deprecated",
        "x = 1",
        "f'D.'",
        "b'D.'",
        "'D.'\nreturn 1",
        "# D.",
    ] {
        check_refused("f.py", bare, given(content), Code::Unsupported);
    }
    check_refused("f.py", "f = 1\n", given("D"), Code::Unsupported);
    check(
        "f.py",
        bare,
        given("r'D.'"),
        "def f():\n    r'D.'\n    pass\n",
    );
    check_refused(
        "f.go",
        "package a\n\nfunc f() {}\n",
        given("// f does.\nvar x = 1"),
        Code::Unsupported,
    );
    check_refused(
        "f.js",
        "function f() {}\n",
        given("/** D. */ x"),
        Code::Unsupported,
    );
    check(
        "f.py",
        python,
        given("'New.'"),
        "def f():\n    'New.'\n    pass\n",
    );
    check("f.py", python, given(""), "def f():\n    pass\n");
    let javascript = "/** D. */\nfunction f() {}\n";
    for content in ["Deprecated", "foo()", "/** D. */ foo()"] {
        check_refused("f.js", javascript, given(content), Code::Unsupported);
    }
    check(
        "f.js",
        javascript,
        given("/** New. */"),
        "/** New. */\nfunction f() {}\n",
    );
    check_refused(
        "f.go",
        "package a\n\n// f does.\nfunc f() {}\n",
        given("var x = 1"),
        Code::Unsupported,
    );
}

#[test]
fn content_laid_out_like_its_file_needs_no_other_unit() {
    let odd = "def a():\n    if x:\n        return 1\n\n\ndef b():\n  if x:\n    return 2\n\n\ndef c():\n    if x:\n        return 3\n";
    let even = "def b():\n    if x:\n        return 2\n";
    check(
        "f.py",
        odd,
        replace(symbol("b"), None, even),
        &odd.replace("def b():\n  if x:\n    return 2\n", even),
    );
    let mixed = "def a():\n    if x:\n      if y:\n        return 9\n      return 8\n";
    check(
        "f.py",
        odd,
        replace(symbol("a"), None, mixed),
        &odd.replace("def a():\n    if x:\n        return 1\n", mixed),
    );
    let two = "def a():\n  if x:\n    return 9\n";
    check(
        "f.py",
        odd,
        replace(symbol("a"), None, two),
        &odd.replace("return 1", "return 9"),
    );
}

#[test]
fn variables_have_their_line() {
    check(
        "w.py",
        WORKER,
        replace(symbol("LIMIT"), None, "LIMIT = 4"),
        &WORKER.replace("LIMIT = 3", "LIMIT = 4"),
    );
    check(
        "s.py",
        "a = 1; b = 2\n",
        replace(symbol("a"), None, "a = 9"),
        "a = 9; b = 2\n",
    );
    check("s.py", "a = 1; b = 2\n", delete(symbol("a")), "b = 2\n");
    check("s.py", "a = 1; b = 2\n", delete(symbol("b")), "a = 1\n");
    check(
        "s.py",
        "class A: x = 1\n",
        delete(symbol("A.x")),
        "class A: pass\n",
    );
}

#[test]
fn delete_takes_decorations_and_leaves_the_larger_gap() {
    check(
        "w.py",
        WORKER,
        delete(symbol("Worker.run")),
        "class Worker:\n    \"\"\"Works.\"\"\"\n\n    def stop(self):\n        return 2\n\n\nLIMIT = 3  # most\n",
    );
    check(
        "w.py",
        WORKER,
        delete(symbol("LIMIT")),
        &WORKER.replace("\n\nLIMIT = 3  # most\n", ""),
    );
    check(
        "a.py",
        "A = 1\n\n\ndef f(): pass\n\nB = 2\n",
        delete(symbol("f")),
        "A = 1\n\n\nB = 2\n",
    );
    check(
        "a.py",
        "A = 1\n\ndef f(): pass\n\n\nB = 2\n",
        delete(symbol("f")),
        "A = 1\n\n\nB = 2\n",
    );
    check(
        "a.py",
        "def f(): pass\n\n\nB = 2\n",
        delete(symbol("f")),
        "B = 2\n",
    );
    check(
        "a.py",
        "A = 1\n\n\ndef f(): pass",
        delete(symbol("f")),
        "A = 1",
    );
    check("a.py", "def f(): pass\n", delete(symbol("f")), "");
    check(
        "a.py",
        "class A:\n    def f(self): pass\n",
        delete(symbol("A.f")),
        "class A:\n    pass\n",
    );
    check(
        "a.py",
        "class A:\n    if X:\n        def f(self): pass\n\n    y = 1\n",
        delete(symbol("A.f")),
        "class A:\n    if X:\n        pass\n\n    y = 1\n",
    );
    check_all(
        "a.py",
        "class A:\n    def f(self): pass\n\n    # about\n\n    def g(self): pass\n\n\nx = 1\n",
        vec![delete(symbol("A.f")), delete(symbol("A.g"))],
        "class A:\n    pass\n\n    # about\n\n\nx = 1\n",
    );
    check_all(
        "a.py",
        "x = 1\n\n\ndef f(): pass\n\n\ndef g(): pass\n\n\ny = 1\n",
        vec![delete(symbol("g")), delete(symbol("f"))],
        "x = 1\n\n\ny = 1\n",
    );
}

#[test]
fn insert_follows_the_neighbours_spacing() {
    use Position::{After, Before, First, Last};
    check(
        "a.py",
        "def a():\n    return 1",
        insert(symbol("a"), After, "def b():\n    return 2\n"),
        "def a():\n    return 1\n\n\ndef b():\n    return 2",
    );
    check(
        "a.py",
        "def a():\n    return 1\n",
        insert(symbol("a"), Before, "def b(): pass\n"),
        "def b(): pass\n\n\ndef a():\n    return 1\n",
    );
    check(
        "a.py",
        "def a(): pass\n\ndef c(): pass\n",
        insert(symbol("a"), After, "def b(): pass\n"),
        "def a(): pass\n\ndef b(): pass\n\ndef c(): pass\n",
    );
    check(
        "a.py",
        "class A:\n    def f(self):\n        return 1\n\n\nx = 1\n",
        insert(symbol("A.f"), After, "def g(self):\n    return 2\n"),
        "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\nx = 1\n",
    );
    check(
        "a.py",
        "A = 1\nC = 3\n",
        insert(symbol("A"), After, "B = 2\n"),
        "A = 1\nB = 2\nC = 3\n",
    );
    check(
        "a.py",
        "A = 1\nC = 3\n",
        insert(symbol("A"), After, "def f(): pass\n"),
        "A = 1\n\n\ndef f(): pass\n\n\nC = 3\n",
    );
    check(
        "a.py",
        "class A:\n    \"\"\"Doc.\"\"\"\n\n    x = 1\n",
        insert(symbol("A"), First, "def f(self): pass\n"),
        "class A:\n    \"\"\"Doc.\"\"\"\n\n    def f(self): pass\n\n    x = 1\n",
    );
    check(
        "a.py",
        "class A:\n    x = 1\n",
        insert(symbol("A"), Last, "def f(self): pass\n"),
        "class A:\n    x = 1\n\n    def f(self): pass\n",
    );
    check(
        "a.py",
        "class A: pass\n",
        insert(symbol("A"), Last, "x = 1\n"),
        "class A:\n    pass\n    x = 1\n",
    );
    check(
        "a.py",
        "def f():\n    return x\n",
        insert(symbol("f"), First, "x = 1\n"),
        "def f():\n    x = 1\n    return x\n",
    );
    check_all(
        "a.py",
        "def a(): pass\n\n\ndef z(): pass\n",
        vec![
            insert(symbol("a"), After, "def b(): pass"),
            insert(symbol("a"), After, "def c(): pass"),
        ],
        "def a(): pass\n\n\ndef b(): pass\n\n\ndef c(): pass\n\n\ndef z(): pass\n",
    );
}

#[test]
fn an_insertion_takes_the_place_of_a_deleted_neighbour() {
    let before = "def a(): pass\n\n\ndef b(): pass\n\n\ndef c(): pass\n";
    check_all(
        "a.py",
        before,
        vec![
            delete(symbol("b")),
            insert(symbol("b"), Position::After, "def n(): pass\n"),
        ],
        &before.replace("b()", "n()"),
    );
}

#[test]
fn edits_that_meet_at_an_edge() {
    let class = "class A:\n    x = 1\n\n\ny = 2\n";
    for position in [Position::First, Position::Last] {
        let refilled = vec![
            delete(symbol("A.x")),
            insert(symbol("A"), position, "z = 1\n"),
        ];
        check_all("a.py", class, refilled, &class.replace("x = 1", "z = 1"));
    }
    check_all(
        "a.txt",
        "a\nb\nc",
        vec![delete(lines(2, 2)), delete(lines(3, 3))],
        "a",
    );
    let refused = run(
        "a.py",
        class,
        vec![
            delete(symbol("A")),
            insert(symbol("A"), Position::Last, "w = 1\n"),
        ],
    );
    let refused = refused.unwrap_err();
    assert!(
        refused.errors[0]
            .message
            .starts_with("operations 0 (lines 1-2) and 1"),
        "{:#?}",
        refused.errors
    );
    let front = "+++\ntitle = 1\n+++\n\n# A\n";
    let first = Verb::Insert {
        part: None,
        selector: None,
        position: Some(Position::First),
        content: "hello\n".to_owned(),
        indent: None,
    };
    check(
        "d.md",
        front,
        first.clone(),
        "+++\ntitle = 1\n+++\nhello\n\n# A\n",
    );
    // So has a page in another language; a file of YAML has documents.
    for front in ["---\nlayout: a\n---\n", "---\n---\n"] {
        check(
            "a.html",
            &format!("{front}<p>x</p>\n"),
            first.clone(),
            &format!("{front}hello\n<p>x</p>\n"),
        );
    }
    check("a.scss", "---\n---\na\n", first, "---\n---\nhello\na\n");
    check(
        "a.yml",
        "---\na: 1\n---\nb: 2\n",
        Verb::Insert {
            part: None,
            selector: None,
            position: Some(Position::First),
            content: "# words\n".to_owned(),
            indent: None,
        },
        "# words\n---\na: 1\n---\nb: 2\n",
    );
    check(
        "d.md",
        "# A\n## B\n",
        replace(section("# A"), Some(Part::Own), "text"),
        "# A\n\ntext\n\n## B\n",
    );
}

#[test]
fn text_and_lines() {
    check(
        "a.txt",
        "one two\n",
        replace(text("two"), None, "2"),
        "one 2\n",
    );
    check(
        "a.txt",
        "one\ntwo\n",
        insert(text("one"), Position::After, "1.5\n"),
        "one\n1.5\ntwo\n",
    );
    check(
        "a.txt",
        "one\ntwo\n",
        insert(text("one"), Position::After, " and"),
        "one and\ntwo\n",
    );
    check("a.txt", "one\ntwo\n", delete(text("one\n")), "two\n");
    check(
        "a.txt",
        "one\r\ntwo\r\nthree\r\n",
        replace(lines(2, 2), None, "2\n2.5\n"),
        "one\r\n2\r\n2.5\r\nthree\r\n",
    );
    check("a.txt", "one\ntwo\nthree\n", delete(lines(2, 3)), "one\n");
    check("a.txt", "one\ntwo", delete(lines(2, 2)), "one");
    check("a.txt", "a\n\nb\n", delete(lines(3, 3)), "a\n\n");
    check(
        "a.txt",
        "one\ntwo\n",
        insert(lines(2, 2), Position::Before, "1.5"),
        "one\n1.5\ntwo\n",
    );
    check_refused(
        "a.txt",
        "one\n",
        replace(lines(2, 2), None, ""),
        Code::LineOutOfRange,
    );
    check_refused(
        "a.txt",
        "one one\n",
        replace(text("one"), None, ""),
        Code::TextAmbiguous,
    );
    check_refused(
        "a.txt",
        "one\n",
        replace(symbol("x"), None, ""),
        Code::UnsupportedLanguage,
    );
}

#[test]
fn files_in_a_language_that_is_left_out_are_edited_by_text_and_not_by_name() {
    let file = "// region one\nfn f() {}\n// endregion\n";
    let refused = run("a.nowhere", file, vec![replace(symbol("f"), None, "")]).unwrap_err();
    assert_eq!(refused.errors[0].code, Code::UnsupportedLanguage);
    assert_eq!(
        refused.errors[0].message,
        "this build leaves out Nowhere: the segments of a.nowhere cannot be told"
    );
    assert_eq!(
        refused.errors[0].notes,
        [
            "a build with `--features nowhere` reads Nowhere, as one with the default features does",
            "`text`, `pattern` and `lines` work in any text file",
        ]
    );
    let edited = file.replace("f()", "g()");
    check(
        "a.nowhere",
        file,
        replace(text("f()"), None, "g()"),
        &edited,
    );
    check(
        "a.nowhere",
        file,
        replace(lines(2, 2), None, "fn g() {}\n"),
        &edited,
    );
}

#[test]
fn sections() {
    let doc = "# Guide\n\nIntro.\n\n## Install\n\nOld.\n\n### Deep\n\nD.\n\n## Use\n\nUse it.\n";
    check(
        "d.md",
        doc,
        replace(section("## Install"), None, "New.\n"),
        &doc.replace("Old.\n\n### Deep\n\nD.", "New."),
    );
    check(
        "d.md",
        doc,
        replace(section("## Install"), None, "## Setup\n\nNew.\n"),
        &doc.replace("## Install\n\nOld.\n\n### Deep\n\nD.", "## Setup\n\nNew."),
    );
    check(
        "d.md",
        doc,
        delete(section("## Install")),
        "# Guide\n\nIntro.\n\n## Use\n\nUse it.\n",
    );
    check(
        "d.md",
        doc,
        delete(section("## Use")),
        "# Guide\n\nIntro.\n\n## Install\n\nOld.\n\n### Deep\n\nD.\n",
    );
    check(
        "d.md",
        doc,
        insert(section("Install"), Position::After, "## More\n\nM.\n"),
        &doc.replace("D.\n\n", "D.\n\n## More\n\nM.\n\n"),
    );
    check(
        "d.md",
        "# A\n# B\n",
        replace(section("# A"), None, "Text.\n"),
        "# A\n\nText.\n\n# B\n",
    );
}

#[test]
fn overlap_names_both_and_touching_is_fine() {
    let refused = run(
        "w.py",
        WORKER,
        vec![
            replace(symbol("Worker"), None, "class Worker: pass"),
            replace(symbol("Worker.run"), None, "def run(self): pass"),
        ],
    );
    assert_eq!(refused.unwrap_err().errors[0].code, Code::Overlap);
    check_all(
        "a.txt",
        "ab:cd",
        vec![
            replace(text("ab"), None, "AB"),
            replace(text(":cd"), None, ":CD"),
        ],
        "AB:CD",
    );
}

#[test]
fn ambiguous_and_missing_names() {
    let twice = "def f(): pass\n\n\ndef f(): pass\n";
    check_refused("a.py", twice, delete(symbol("f")), Code::SegmentAmbiguous);
    check("a.py", twice, delete(symbol("f[2]")), "def f(): pass\n");
    check_refused("a.py", twice, delete(symbol("g")), Code::SegmentNotFound);
    check(
        "w.py",
        WORKER,
        replace(symbol("*.stop"), None, "def stop(self):\n    return 0"),
        &WORKER.replace("return 2", "return 0"),
    );
}

#[test]
fn a_semicolon_below_belongs_to_what_follows() {
    let before = "const a = load()\nconst b = 2 // two\n// note\n\n;[1, 2].forEach(go)\n";
    let replaced = "const a = load()\nconst b = list // two\n// note\n\n;[1, 2].forEach(go)\n";
    check(
        "m.js",
        before,
        replace(symbol("b"), None, "const b = list"),
        replaced,
    );
    check(
        "m.ts",
        before,
        replace(symbol("b"), None, "const b = list"),
        replaced,
    );
    check(
        "m.js",
        before,
        delete(symbol("b")),
        "const a = load()\n// note\n\n;[1, 2].forEach(go)\n",
    );
    let inserted =
        "const a = load()\nconst b = 2 // two\nconst c = 3\n// note\n\n;[1, 2].forEach(go)\n";
    check(
        "m.js",
        before,
        insert(symbol("b"), Position::After, "const c = 3"),
        inserted,
    );
    let below = |text: &str| format!("{text}\n;`x`.length\n");
    let to_a = |path, before: &str, after: &str| {
        check(
            path,
            &below(before),
            replace(symbol("a"), None, after),
            &below(after),
        );
    };
    to_a("m.js", "var a", "var a = 1");
    to_a(
        "m.js",
        "export const a = () => 1",
        "export const a = () => 2",
    );
    to_a(
        "m.js",
        "const a = class {\n}",
        "const a = class {\n  x() {}\n}",
    );
    to_a("m.ts", "export type a = string", "export type a = number");
    to_a("m.ts", "declare const a: string", "declare const a: number");
    check("m.js", "const a = 1\n;b()\n", delete(symbol("a")), ";b()\n");
    check(
        "m.js",
        "const a = 1;\n",
        replace(symbol("a"), None, "const a = 2"),
        "const a = 2;\n",
    );
}

#[test]
fn a_semicolon_that_stood_there_stays() {
    let statement = |before: &str, content: &str, after: &str| {
        let (before, after) = (format!("{before}\ngo();\n"), format!("{after}\ngo();\n"));
        check("m.js", &before, replace(symbol("b"), None, content), &after);
        check("m.ts", &before, replace(symbol("b"), None, content), &after);
        check(
            "m.ts",
            &before,
            replace(symbol("b"), Some(Part::Whole), content),
            &after,
        );
    };
    statement("const b = 2;", "const b = f", "const b = f;");
    statement(
        "const b = 2;",
        "const b = f // note",
        "const b = f; // note",
    );
    statement("const b = 2;", "const b = f;", "const b = f;");
    statement("const b = 2", "const b = f", "const b = f");
    statement("const b = 2", "const b = f;", "const b = f;");
    statement(
        "const b = 2;",
        "export const b = () => {\n  f()\n}",
        "export const b = () => {\n  f()\n};",
    );
    statement("const b = () => 2;", "function b() {}", "function b() {}");
    statement(
        "export const b = 2;",
        "export class b {}",
        "export class b {}",
    );
    let member = |path: &str, before: &str, content: &str, after: &str| {
        let around = |members: &str| format!("class A {{\n  {members}\n  k = 2;\n}}\n");
        check(
            path,
            &around(before),
            replace(symbol("A.x"), None, content),
            &around(after),
        );
    };
    for path in ["m.js", "m.ts"] {
        member(path, "x = y;", "x = z", "x = z;");
        member(
            path,
            "static x = y;",
            "static x = z // note",
            "static x = z; // note",
        );
        member(path, "x = y", "x = z", "x = z");
        member(path, "x = y;", "x() {}", "x() {}");
    }
    let type_member = |before: &str, content: &str, after: &str| {
        check("m.ts", before, replace(symbol("A.x"), None, content), after);
    };
    type_member(
        "interface A { x: string; y: string }\n",
        "x: number",
        "interface A { x: number; y: string }\n",
    );
    type_member(
        "interface A { x: string, y: string }\n",
        "x: number",
        "interface A { x: number, y: string }\n",
    );
    check(
        "m.ts",
        "type b = string;\n",
        replace(symbol("b"), None, "type b = number"),
        "type b = number;\n",
    );
}

#[test]
fn deleting_one_of_two_on_a_line_leaves_the_other_its_place() {
    check(
        "m.ts",
        "class A {\n  x: string; y = 1;\n}\n",
        delete(symbol("A.x")),
        "class A {\n  y = 1;\n}\n",
    );
    check(
        "m.ts",
        "class A {\n  x: string; y = 1;\n}\n",
        delete(symbol("A.y")),
        "class A {\n  x: string;\n}\n",
    );
    check(
        "m.js",
        "const a = 1; const b = 2; // two\n",
        delete(symbol("a")),
        "const b = 2; // two\n",
    );
    let java = "class A {\n    int x = 1; int y = 2;\n}\n";
    check(
        "A.java",
        java,
        delete(symbol("A.x")),
        "class A {\n    int y = 2;\n}\n",
    );
    check(
        "A.java",
        java,
        delete(symbol("A.y")),
        "class A {\n    int x = 1;\n}\n",
    );
    check(
        "a.rs",
        "const A: i32 = 1; const B: i32 = 2;\n",
        delete(symbol("A")),
        "const B: i32 = 2;\n",
    );
    check(
        "a.rs",
        "const A: i32 = 1; const B: i32 = 2;\n",
        delete(symbol("B")),
        "const A: i32 = 1;\n",
    );
}

#[test]
fn go_keeps_its_imports_apart() {
    let last = |before: &str, expected: &str| {
        let content = "var a = 1\n".to_owned();
        let insert = Verb::Insert {
            part: None,
            selector: None,
            position: Some(Position::Last),
            content,
            indent: None,
        };
        check("a.go", before, insert, expected);
    };
    last(
        "package a\n\nimport \"C\"\n",
        "package a\n\nimport \"C\"\n\nvar a = 1\n",
    );
    last(
        "package a\n\nimport (\n\t\"C\"\n)\n",
        "package a\n\nimport (\n\t\"C\"\n)\n\nvar a = 1\n",
    );
    last("package a\n", "package a\n\nvar a = 1\n");
    last(
        "package a\n\nvar b = 1\n",
        "package a\n\nvar b = 1\nvar a = 1\n",
    );
}

#[test]
fn insert_first_stands_behind_what_has_to_stand_first() {
    let file = |path: &str, before: &str, content: &str, expected: &str| {
        let verb = Verb::Insert {
            part: None,
            selector: None,
            position: Some(Position::First),
            content: content.to_owned(),
            indent: None,
        };
        check(path, before, verb, expected);
    };
    let body = |path: &str, before: &str, name: &str, content: &str, expected: &str| {
        check(
            path,
            before,
            insert(symbol(name), Position::First, content),
            expected,
        );
    };
    file(
        "a.js",
        "\"use strict\"\nb = 1\n",
        "var z = 0\n",
        "\"use strict\"\n\nvar z = 0\nb = 1\n",
    );
    file(
        "a.ts",
        "#!/usr/bin/env node\n// licence\n\"use strict\"; // why\n\nimport a from \"a\"\n",
        "import b from \"b\"",
        "#!/usr/bin/env node\n// licence\n\"use strict\"; // why\n\nimport b from \"b\"\nimport a from \"a\"\n",
    );
    file(
        "a.js",
        "\"use strict\"; go()\n",
        "var z = 0",
        "\"use strict\";\n\nvar z = 0\n go()\n",
    );
    file(
        "a.js",
        "(\"no directive\")\n",
        "var z = 0",
        "var z = 0\n(\"no directive\")\n",
    );
    let strict = "function f() {\n  \"use strict\"\n  return this\n}\n";
    body(
        "a.js",
        strict,
        "f",
        "var z = 0",
        &strict.replace("  return", "  var z = 0\n  return"),
    );
    let method = "class A {\n  f() {\n    \"use strict\" // why\n  }\n}\n";
    body(
        "a.js",
        method,
        "A.f",
        "go()",
        &method.replace("// why\n", "// why\n    go()\n"),
    );
    body(
        "a.js",
        "function f() { \"use strict\"; return this }\n",
        "f",
        "go()",
        "function f() {\n  \"use strict\";\n  go()\n  return this\n}\n",
    );
    file(
        "a.py",
        "\"\"\"Doc.\"\"\"\nx = 1\n",
        "import os",
        "\"\"\"Doc.\"\"\"\n\nimport os\nx = 1\n",
    );
    let future = "#!/usr/bin/python\n\"\"\"Doc.\n\nMore.\n\"\"\"\nfrom __future__ import annotations\n\nimport sys\n";
    file(
        "a.py",
        future,
        "import os",
        &future.replace("import sys", "import os\nimport sys"),
    );
    file("a.py", "f\"{x}\"\n", "import os", "import os\nf\"{x}\"\n");
    body(
        "a.py",
        "def f(): \"Doc.\"; return 1\n",
        "f",
        "y = 1",
        "def f():\n    \"Doc.\"\n    y = 1\n    return 1\n",
    );
    file(
        "a.go",
        "//go:build linux\n\npackage a\n",
        "import \"os\"",
        "//go:build linux\n\npackage a\n\nimport \"os\"\n",
    );
    let go = "// Package a is.\npackage a\n\nimport \"io\"\n";
    file(
        "a.go",
        go,
        "import \"os\"",
        &go.replace("import", "import \"os\"\nimport"),
    );
    file(
        "A.java",
        "package a;\n\nclass A {}\n",
        "import b.c;",
        "package a;\n\nimport b.c;\n\nclass A {}\n",
    );
    file(
        "a.rs",
        "//! doc\nfn f() {}\n",
        "use a::b;",
        "//! doc\n\nuse a::b;\n\nfn f() {}\n",
    );
    let rust = "// licence\n\n//! doc\n#![allow(x)]\n/*! more */\n\nuse c::d;\n";
    file(
        "a.rs",
        rust,
        "use a::b;",
        &rust.replace("use c", "use a::b;\nuse c"),
    );
    let inner = "fn f() {\n    #![allow(x)]\n    g()\n}\n";
    body(
        "a.rs",
        inner,
        "f",
        "let a = 1;",
        &inner.replace("    g", "    let a = 1;\n    g"),
    );
    let module = "mod m {\n    //! doc\n\n    fn g() {}\n}\n";
    body(
        "a.rs",
        module,
        "m",
        "use a::b;",
        "mod m {\n    //! doc\n    use a::b;\n\n    fn g() {}\n}\n",
    );
    let shared = "function f() {\n  \"use strict\"; go()\n}\n";
    check_refused(
        "a.js",
        shared,
        insert(symbol("f"), Position::First, "x()"),
        Code::Unsupported,
    );
}
