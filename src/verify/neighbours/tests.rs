//! The neighbours, as tables of small edits: of `«old|new»`, the old becomes the new.

use Who::{Bytes, Name};

use crate::diagnostic::Diagnostic;
use crate::path::RepoPath;
use crate::plan::FileEdit;
use crate::resolve::Document;
use crate::snapshot::{File, FileMode, HashKind};
use crate::syntax::css::CSS;
use crate::text::Span;
use crate::verify::marked;
use crate::verify::neighbours::changed::MOST_NAMED;
use crate::verify::neighbours::guard::Guard;

/// Who edits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// Names a place.
    Name,
    /// Names bytes.
    Bytes,
}

/// Holds an edit to the neighbours that it changes: the line of each, with what of it a message quotes.
#[track_caller]
fn check(path: &str, who: Who, text: &str, expected: &[&str]) {
    let (edit, old, new) = documents(path, who, text);
    let found = check_whole_and_apart(&edit, &old, &new);
    let quoted: Vec<&str> = found.iter().map(|it| quoted(&it.message)).collect();
    assert_eq!(quoted, expected, "{text}\n{found:#?}");
}

/// Holds an edit by bytes to the segments that it takes apart: what the message quotes of the first.
#[track_caller]
fn check_segments(path: &str, text: &str, expected: Option<(&str, &str)>) {
    let (edit, old, new) = documents(path, Bytes, text);
    let found = super::check(&edit, &old, &new);
    let told = found.first().map(|it| {
        let parts: Vec<&str> = it.message.split('`').collect();
        (parts[1], parts[3])
    });
    assert_eq!(told, expected, "{text}\n{found:#?}");
}

/// Returns an edit, and the file before and after it.
#[track_caller]
fn documents(path: &str, who: Who, text: &str) -> (FileEdit, Document, Document) {
    let (old, splices) = marked::read(text);
    let named: Vec<Span> = splices
        .iter()
        .map(|splice| splice.span)
        .filter(|_| who == Name)
        .collect();
    let new = splices.apply(old.as_bytes());
    let file = |bytes: &[u8]| File {
        mode: FileMode::Regular,
        bytes: bytes.to_vec().into(),
    };
    let edit = FileEdit {
        path: RepoPath::parse(path).unwrap(),
        before: Some(file(old.as_bytes())),
        after: Some(file(&new)),
        moved_from: None,
        splices: Some(splices),
        claims: Vec::new(),
        named,
        defines: Vec::new(),
        written: Vec::new(),
        outline: None,
    };
    let document = |bytes: &[u8]| {
        Document::new(
            RepoPath::parse(path).unwrap(),
            bytes.to_vec().into(),
            HashKind::Sha1,
        )
    };
    let (old, new) = (document(old.as_bytes()), document(&new));
    assert_eq!(new.errors(), [], "the result parses");
    (edit, old, new)
}

fn quoted(message: &str) -> &str {
    let (_, behind) = message.split_once('`').unwrap();
    behind
        .split_once("` at line")
        .or_else(|| behind.split_once("`, at line"))
        .unwrap()
        .0
}

#[test]
fn modifiers_on_lines_of_their_own() {
    for path in ["a.js", "a.ts"] {
        check(
            path,
            Name,
            "class A {\n  a() {}\n  static\n«|  n() {}\n»  b() {}\n}\n",
            &["{}"],
        );
        check(
            path,
            Name,
            "class A {\n  «a() {}|a() {}\n  static»\n  b() {}\n}\n",
            &["b() {}"],
        );
        check(
            path,
            Name,
            "class A {\n  «a() {}|a() {}\n  get»\n  b() {}\n}\n",
            &["b() {}"],
        );
        check(
            path,
            Name,
            "class A {\n  a() {}«|\n  n() {}»\n  static\n  b() {}\n}\n",
            &[],
        );
        check(
            path,
            Name,
            "class A {\n«  a() {}\n|»  static\n  b() {}\n}\n",
            &[],
        );
        check(
            path,
            Bytes,
            "class A {\n  static\n«  b() {}|  n() {}\n  b() {}»\n}\n",
            &["static…"],
        );
        check(
            path,
            Bytes,
            "class A {\n  static\n«  b() {}|  b() {}\n  n() {}»\n}\n",
            &[],
        );
        // These end with their line, and are members of that name.
        check(
            path,
            Name,
            "class A {\n  «a() {}|a() {}\n  async»\n  b() {}\n}\n",
            &[],
        );
    }
    check(
        "a.ts",
        Bytes,
        "export\n«class B {}|class N {}\nclass B {}»\n",
        &["export…"],
    );
}

#[test]
fn documentation_of_rust_goes_to_what_comes_next() {
    let check = |who, text, expected: &[&str]| check("a.rs", who, text, expected);
    check(
        Name,
        "fn a() {}«|\n\nfn n() {}\n\n/// Says.»\n\nfn b() {}\n",
        &["fn b() {}"],
    );
    check(
        Name,
        "fn a() {}«|\n\nfn n() {}\n\n/** Says. */»\n\n#[c]\nfn b() {}\n",
        &["#[c]"],
    );
    check(
        Name,
        "«|fn n() {}\n/// Says.\n\n»fn b() {}\n",
        &["fn b() {}"],
    );
    check(
        Name,
        "fn a() {}«|\n\nfn n() {}\n\n// Says.»\n\nfn b() {}\n",
        &[],
    );
    check(
        Name,
        "fn a() {}«|\n\n/// Says.\nfn n() {}»\n\nfn b() {}\n",
        &[],
    );
    check(Name, "«|/// Says.\n»fn b() {}\n", &[]);
    check(
        Bytes,
        "fn a() {}\n\n«|fn n() {}\n\n/// Says.\n»fn b() {}\n",
        &[],
    );
}

/// Reads stretches, and whole files: both tell the same.
#[track_caller]
fn check_whole_and_apart(edit: &FileEdit, old: &Document, new: &Document) -> Vec<Diagnostic> {
    let found = super::check(edit, old, new);
    let splices = edit.splices.as_ref().unwrap();
    let language = old.language.unwrap();
    let guard = Guard::of(edit, splices, &old.bytes, language);
    // What a comment takes up is looked at ahead of statements.
    if found
        .iter()
        .any(|it| it.message.contains("a part of a comment"))
    {
        return found;
    }
    let [before, after] = [old, new].map(|document| {
        language
            .grammar
            .statements(&document.bytes, None)
            .expect("it parses")
    });
    let refused = guard
        .refused(&before, &after, (&old.bytes, &new.bytes))
        .len()
        .min(MOST_NAMED);
    let is_told_apart = |it: &Diagnostic| {
        ["stands for", "preamble", "another case", "another list"]
            .iter()
            .any(|words| it.message.contains(words))
    };
    let are_revalued = !found.is_empty() && found.iter().all(is_told_apart);
    assert_eq!(
        refused,
        if are_revalued { 0 } else { found.len() },
        "read as a whole"
    );
    found
}

#[test]
fn javascript_that_leaves_its_semicolons_out() {
    let check = |text, expected: &[&str]| check("a.js", Name, text, expected);
    check(
        "const a = load()\nconst b = «2|list»\n\n[1, 2].forEach(go)\n",
        &[],
    );
    check(
        "const a = load()\n«const b = 2\n\n;|const b = list»[1, 2].forEach(go)\n",
        &["[1, 2].forEach(go)"],
    );
    check(
        "const a = load()\n«const b = 2\n\n;|»[1, 2].forEach(go)\n",
        &["const a = load()", "[1, 2].forEach(go)"],
    );
    check(
        "const a = load()\n«const b = 2|const b = list»\n\n;[1, 2].forEach(go)\n",
        &[],
    );
    check(
        "const a = load()\n«const b = 2\n\n|»;[1, 2].forEach(go)\n",
        &[],
    );
    check(
        "const a = load()\nconst b = 2«|\nconst c = 3»\n// note\n\n;[1, 2].forEach(go)\n",
        &[],
    );
    check(
        "const b = 2;«|\nconst c = 3»\n(function () { go() })();\n",
        &["(function () { go() })()"],
    );
    check(
        "«const b = 2;|const b = Math.max»\n(function () { go() })();\n",
        &["(function () { go() })()"],
    );
    check("«const b = 2;|const b = x»\n`a`.length;\n", &["`a`.length"]);
    check(
        "let a = b\n«function f() {}\n|»[1].map(x)\n",
        &["let a = b", "[1].map(x)"],
    );
    check("let a = b\n«function f() {}\n|»c = [1].map(x)\n", &[]);
    check(
        "class A {\n  «x = y;|x = z»\n  [\"k\"] = 2;\n}\n",
        &["[\"k\"] = 2"],
    );
    check(
        "class A {\n  x = 1;\n  «y = 2|get»\n  z() {}\n}\n",
        &["z() {}"],
    );
    check(
        "class A {\n  x = 1;\n  get\n  «y() {}|y() { return 1 }»\n  z() {}\n}\n",
        &[],
    );
    check(
        "class A {\n  x = 1;\n«  get\n|»  y() {}\n  z() {}\n}\n",
        &["{}"],
    );
    check("class A {\n  «x = y;|x = z;»\n  [\"k\"] = 2;\n}\n", &[]);
    check("label: «function f() {}|»\ngo()\n", &["go()"]);
    check("«function f() {}|if (x)»\ngo()\nstop()\n", &["go()"]);
    check("«function f() {}|while (x) { y() }»\ngo()\n", &[]);
    check(
        "const a = 1; «const b = 2;|const b = 2; // c» go();\n",
        &["go()"],
    );
    check(
        "const a = 1; «const b = 2;|const b = [\n  2\n];» go();\n",
        &[],
    );
    check("if (x) «a();|{ a(); b() }» else c();\n", &[]);
    check(
        "f(function () {\n  one()\n  «const b = 2|const b = 3»\n  ;(function () {})()\n})\n",
        &[],
    );
    check(
        "f(function () {\n  one()\n  «const b = 2\n  ;|const b = 3\n»(function () {})()\n})\n",
        &["(function () {})()"],
    );
}

#[test]
fn typescript_and_its_members() {
    let check = |text, expected: &[&str]| check("a.ts", Name, text, expected);
    check("«type A = string;|type A = B»\n;[1].map(x);\n", &[]);
    check(
        "class A {\n  private «x = y;|x = z»\n  [\"k\"] = 2;\n}\n",
        &["[\"k\"] = 2"],
    );
    check("interface A { «x: string;|x: number;» y: number }\n", &[]);
    check(
        "export type A = B«|\n\n;[1].map(x)»\ndeclare function f(): void«|\n;[1].map(x)»\n",
        &[],
    );
    check(
        "interface A {\n  «x: string;|x // note»\n  <T>(y: T): void\n}\n",
        &["<T>(y: T): void"],
    );
    check("interface A {\n  «x: string;|x;»\n  (y: T): void\n}\n", &[]);
    check(
        "export const b = «1;|f»\n(function () {})();\n",
        &["(function () {})()"],
    );
    check(
        "namespace N {\n  export const b = «1;|f»\n  (function () {})();\n}\n",
        &["(function () {})()"],
    );
    check(
        "export default class {\n  a() {}\n  «b() {}|b() { return 1 }»\n  c() {}\n}\n",
        &[],
    );
}

#[test]
fn javascript_whose_declarations_end_with_their_line() {
    let check = |text, expected: &[&str]| {
        check("a.js", Name, text, expected);
        check("a.ts", Name, text, expected);
    };
    let arrow = "(async () => { go() })()";
    check(
        "«let a, state|state = load»\n(async () => { go() })()\n",
        &[arrow],
    );
    check(
        "«let a, state|let a, other»\n(async () => { go() })()\n",
        &[],
    );
    check(
        "«let a, state|let state = load;»\n(async () => { go() })()\n",
        &[],
    );
    check(
        "«var state|var state = load»\n[1, 2].forEach(go)\n",
        &["[1, 2].forEach(go)"],
    );
    check(
        "«var state|var state = load // now»\n\n[1, 2].forEach(go)\n",
        &["[1, 2].forEach(go)"],
    );
    check("«var state|function state() {}»\n[1, 2].forEach(go)\n", &[]);
    check(
        "var state«|\nvar next = load»\n(function () {})()\n",
        &["(function () {})()"],
    );
    check("var state«|\nvar next»\n(function () {})()\n", &[]);
    check(
        "var a = 1\n«var state\n|»(function () {})()\n",
        &["var a = 1", "(function () {})()"],
    );
    check(
        "«var a = 1|var a = 2»\nvar state\n(function () {})()\n",
        &[],
    );
    check("«var state|var state = x»\n/re/g\n", &["/re/g"]);
    check("«let state|let state = x»\n`a`.length\n", &["`a`.length"]);
    check("«let state|let state = x»\n+y\n", &["+y"]);
    check(
        "function f() {\n  «let x|let x = y»\n  [1].map(g)\n}\n",
        &["[1].map(g)"],
    );
    check(
        "«export let x|export let x = y»\n[1].map(g)\n",
        &["[1].map(g)"],
    );
    check(
        "class A {\n  «x|x = y»\n  [\"k\"] = 2\n}\n",
        &["[\"k\"] = 2"],
    );
    check("class A {\n  «x|z»\n  [\"k\"] = 2\n}\n", &[]);
    check("class A {\n  #a\n  «x|x = y;»\n  *g() {}\n}\n", &[]);
}

#[test]
fn javascript_whose_expressions_end_with_their_line() {
    let check = |text, expected: &[&str]| {
        check("a.js", Name, text, expected);
        check("a.ts", Name, text, expected);
    };
    check("«const f = () => {}|const f = () => { x }»\n(g)()\n", &[]);
    check("«const f = () => {}|»\n(g)()\n", &[]);
    check("«const f = () => {}|const f = x»\n(g)()\n", &["(g)()"]);
    check("«const f = () => {}|const f = x»\n\n// run\n;(g)()\n", &[]);
    check(
        "«const f = () => {} // c|const f = x // c»\n[1].map(g)\n",
        &["[1].map(g)"],
    );
    check(
        "«const f = a => b => {}|const f = x»\n`a`.length\n",
        &["`a`.length"],
    );
    check("«const f = i++|const f = i»\n(g)()\n", &["(g)()"]);
    check("«const f = i++|const f = i--»\n[1].map(g)\n", &[]);
    check(
        "class A {\n  «f = () => {}|f = x»\n  [\"k\"] = 2\n}\n",
        &["[\"k\"] = 2"],
    );
    check(
        "class A {\n  «f = () => {}|f = () => { x }»\n  *k() {}\n}\n",
        &[],
    );
    check("«|export\n\n»let late\n", &["let late"]);
    check("«|export // c\n»function f() {}\n", &["function f() {}"]);
    check("«|export »const f = 1\n", &["const f = 1"]);
    check("export\nlet late\n«let b = 1|let b = 2»\n", &[]);
}

#[test]
fn typescript_whose_expressions_end_with_their_line() {
    let check = |text, expected: &[&str]| check("a.ts", Name, text, expected);
    check("«const f = x as T|const f = x»\n(g)()\n", &["(g)()"]);
    check("«const f = x as T|const f = x as U»\n[1, 2].map(g)\n", &[]);
    check(
        "«const f = x satisfies T|const f = x»\n[1].map(g)\n",
        &["[1].map(g)"],
    );
    check(
        "class A {\n  «f = x as T|f = y as T»\n  [\"k\"] = 2\n}\n",
        &[],
    );
    check("namespace N {\n}«|\n(function () {})()»\n", &[]);
    check("class A extends B\n  <T> {\n  «f: T|f: U»\n}\n", &[]);
    check("interface A extends B\n  <T> {\n  «f: T|f: U»\n}\n", &[]);
    check("interface A {\n  «f: T|f: U»\n  <T>(x: T): T\n}\n", &[]);
}

#[test]
fn javascript_whose_comments_end_lines() {
    let check = |text, expected: &[&str]| check("a.js", Name, text, expected);
    check("«const a = 1|const a = 2»/* x\n*/go()\n", &[]);
    check("«const a = 1/* x\n*/go()|const a = 2»\n", &[]);
    check(
        "const a = 1«|\nconst b = 2»/* x\n*/do go(); while (0)\n",
        &[],
    );
    check("«const a = 1/* x\n*/|const a = 2 /* x */\n»go()\n", &[]);
}

#[test]
fn directives_and_docstrings_stay_what_they_are() {
    let script = |text, expected: &[&str]| {
        check("a.js", Name, text, expected);
        check("a.ts", Name, text, expected);
    };
    let strict = &["\"use strict\""][..];
    script("«var a = 1\n|»\"use strict\"\nb = 1\n", strict);
    script("«var a = 1|var b = 1»\n\"use strict\"\nb = 1\n", &[]);
    script("«|var z = 0\n»\"use strict\"\nb = 1\n", strict);
    script("\"use strict\"\n«|var z = 0\n»b = 1\n", &[]);
    script("\"use asm\"\n«|var z = 0\n»\"use strict\"\n", strict);
    script(
        "function f() {\n«  |  var z = 0\n»  \"use strict\"\n  return this\n}\n",
        strict,
    );
    script(
        "x = () => {\n«  var z = 0\n|»  \"use strict\"\n  return this\n}\n",
        strict,
    );
    script(
        "class A {\n  f() {\n«    var z = 0\n|»    \"use strict\"\n    return this\n  }\n}\n",
        strict,
    );
    script("if (x) {\n«  var z = 0\n|»  \"not a directive\"\n}\n", &[]);
    script("«var a = 1;\n|»(\"use strict\")\n", &[]);
    script("«var a = 1\n|»\"use strict\".length\n", &[]);
    script("«|// licence\n»\"use strict\"\n", &[]);
    script("var b\n«var a = 1\n|»\"no directive\"\n", &[]);
    let python = |text, expected: &[&str]| check("a.py", Name, text, expected);
    let limit = &["\"\"\"The limit.\"\"\""][..];
    python("«LIMIT = 1\n|»\"\"\"The limit.\"\"\"\n\nx = 1\n", limit);
    python(
        "«LIMIT = 1|LIMIT = 2»\n\"\"\"The limit.\"\"\"\n\nx = 1\n",
        &[],
    );
    python("«|import os\n»\"\"\"The limit.\"\"\"\nx = 1\n", limit);
    python("\"\"\"The limit.\"\"\"\n«|import os\n»x = 1\n", &[]);
    python(
        "class A:\n«    LIMIT = 1\n|»    \"\"\"The limit.\"\"\"\n    x = 1\n",
        limit,
    );
    python(
        "def f():\n«    limit = 1\n|»    \"\"\"The limit.\"\"\"\n    x = 1\n",
        limit,
    );
    python(
        "if x:\n«    LIMIT = 1\n|»    \"\"\"The limit.\"\"\"\n    x = 1\n",
        &[],
    );
    python("«LIMIT = 1\n|»f\"{x}\"\nx = 1\n", &[]);
    check("a.rs", Bytes, "«|//! doc\n»#![allow(x)]\nfn f() {}\n", &[]);
    check(
        "a.rs",
        Name,
        "fn g() {}\nfn f() {\n    #![allow(x)]\n«|    let a = 1;\n»    g()\n}\n",
        &[],
    );
}

#[test]
fn python_on_one_line() {
    let check = |text, expected: &[&str]| check("a.py", Name, text, expected);
    check(
        "if debug: «level = 1|level = 2\ntrace = True»; verbose = True\n",
        &["verbose = True"],
    );
    check("if debug: «level = 1|level = 2»; verbose = True\n", &[]);
    check("x = 1\n«y = 1|if x: y = 2»; z = 3\n", &["z = 3"]);
    check("«x = 1|x = 2  # two»; sys.exit(3)\n", &["sys.exit(3)"]);
    check("«x = 1|x = 2\ny = 3»; sys.exit(3)\n", &[]);
    check(
        "class A:\n    def f(self): pass\n«|\n    def g(self): pass\n»\n\nx = 1\n",
        &[],
    );
    check("class A:\n    x = 1\n«    y = 2\n|»\n\nz = 1\n", &[]);
    check(
        "if a:\n    class A:\n        x = 1«|\n        y = 2»  # c\nz = 1\n",
        &[],
    );
    check(
        "if a:\n    class A:\n        x = 1  # c«|\n        y = 2»\nelse:\n    z = 1\n",
        &[],
    );
    check(
        "try:\n    a()\nexcept E:\n    «x = 1|x = 2»\nfinally:\n    b()\n",
        &[],
    );
    check("«x = 1|@dec»\ndef g():\n    pass\n", &["def g():…"]);
    check(
        "@dec\ndef f():\n    pass\n\n\n«def g():\n    pass|def g(): return 1»\n",
        &[],
    );
}

#[test]
fn rust_go_and_java() {
    let rust = |text, expected: &[&str]| check("a.rs", Name, text, expected);
    rust(
        "fn g() {\n    «const B: i32 = 1;|const B: i32 = 2; // c» f();\n}\n",
        &["f()"],
    );
    rust(
        "fn g() -> i32 {\n    «let b = 1;|let b = 2; // c» b\n}\n",
        &["b"],
    );
    rust(
        "«const A: i32 = 1;|const A: i32 = 2; // c» fn f() {}\n",
        &["fn f() {}"],
    );
    rust(
        "«const A: i32 = 1;|const A: i32 = 2;\nconst B: i32 = 3;» fn f() {}\n",
        &[],
    );
    rust(
        "struct A {\n    «a: i32,|a: u8, // b» b: i32,\n}\n",
        &["b: i32"],
    );
    rust(
        "fn g(x: T) {\n    match x {\n        «A => a(),|A => b(), // c» B => c(),\n    }\n}\n",
        &["B => c()"],
    );
    rust("impl A {\n    fn a() {}\n«|\n    fn b() {}\n»}\n", &[]);
    rust(
        "mod a {\n    «fn f() {}|fn f() {} #[inline]» fn g() {}\n}\n",
        &["fn g() {}"],
    );
    rust("«#[inline]\nfn f() {}\n|»\n#[test]\nfn g() {}\n", &[]);
    let go = |text, expected: &[&str]| check("a.go", Name, text, expected);
    go(
        "package a\n\nfunc f() {\n\t«x()|x() // c»; y()\n}\n",
        &["y()"],
    );
    go("package a\n\nfunc f() {\n«|\tx()\n»\ty()\n}\n", &[]);
    go(
        "package a\n\nfunc f() {\n\tswitch a {\n\tcase 1:\n«|\t\tz()\n»\t\tx()\n\t}\n«|\ty()\n»}\n",
        &[],
    );
    go(
        "package a\n\nfunc f() {\n\t«x()|if a { z() } else»\n\tif b {\n\t}\n}\n",
        &["if b {…"],
    );
    go(
        "package a\n\nvar (\n\t«a = 1|a = 2 // c»; b = 2\n)\n",
        &["b = 2"],
    );
    go(
        "package a\n\n«func f() {}|func f() {}\n\nfunc g() {}»\n\nvar a = 1\n",
        &[],
    );
    let java = |text, expected: &[&str]| check("A.java", Name, text, expected);
    java(
        "class A {\n  «int x = 1;|int x = 2; // c» int y = 2;\n}\n",
        &["int y = 2"],
    );
    java(
        "class A {\n  «int x = 1;|int x = 2;\n  int z = 3;» int y = 2;\n}\n",
        &[],
    );
    java(
        "class A {\n  void f() { «a();|if (x)» b(); }\n}\n",
        &["b()"],
    );
}

#[test]
fn a_case_goes_on_with_the_one_it_went_on_with() {
    let check_in = |path: &str, (open, close): (&str, &str), text: &str, expected: &[&str]| {
        check(path, Bytes, &format!("{open}{text}{close}"), expected);
    };
    let script = |text: &str, expected: &[&str]| {
        check_in(
            "a.js",
            ("function f() {\nswitch (x) {\n", "}\n}\n"),
            text,
            expected,
        );
        check_in(
            "a.ts",
            ("function f() {\nswitch (x) {\n", "}\n}\n"),
            text,
            expected,
        );
        check_in(
            "A.java",
            ("class A {\nvoid f() {\nswitch (x) {\n", "}\n}\n}\n"),
            text,
            expected,
        );
    };
    let one = &["case 1:"][..];
    script(
        "case 1:\n«|case 3: c(); break;\n»case 2: b(); break;\n",
        one,
    );
    script("case 1:\n«|case 3: c();\n»case 2: b(); break;\n", one);
    script(
        "case 1:\ncase 2: b(); break;\n«|case 3: c(); break;\n»default: d();\n",
        &[],
    );
    script("case 1:\n«|case 3:\n»case 2: b(); break;\n", &[]);
    script("case 1:\n«case 2:|case 2:\ncase 3:»\nb(); break;\n", &[]);
    script("case 1:\ncase 2:\n«|case 3:\n»b(); break;\n", &[]);
    script("case 1:\n«case 2:\n|»b(); break;\n", &[]);
    script("case 1:\n«case 2:\n|»b();\n", &[]);
    script("case 1:\n«case 2:\n|case 3:\ncase 4:\n»b(); break;\n", &[]);
    script("case 1:\ndefault:\n«|case 3:\n»b(); break;\n", &[]);
    script(
        "case 1: a(); break;\n«case 2:\n|»b(); break;\n",
        &["b()", "break"],
    );
    script(
        "case 1: a(); break;\ncase 2:\n«|case 3: c(); break;\n»b(); break;\n",
        &["break"],
    );
    script(
        "case 1:\n«|a(); break;\ncase 3: c(); break;\n»case 2: b(); break;\n",
        &[],
    );
    script("case 1:\n«case 2: b(); break;\n|»case 3: c();\n", one);
    script(
        "case 1:\n«case 2: b(); break;\n|case 4: e(); break;\n»case 3: c();\n",
        &[],
    );
    script("case 1:\ncase «2|4»: b(); break;\n", &[]);
    script(
        "«case 1:\n|case 1:\ncase 3: c(); break;\n»case 2: b(); break;\n",
        &[],
    );
    script(
        "case 1: a();\n// on\n«|case 3: c(); break;\n»case 2: b(); break;\n",
        &["case 1: a();"],
    );
    script("case 1: a();\n«|case 3: c(); break;\n»", &["case 1: a();"]);
    script("default: a();\n«|break;\ncase 3: c(); break;\n»", &[]);
    for ends in [
        "break;",
        "return;",
        "throw y;",
        "if (y) { return; } else { throw y; }",
        "if (y) break; else if (z) { break; } else return;",
        "{ a(); break; }",
        "try { return; } finally { a(); }",
    ] {
        script(
            &format!("case 1: a(); {ends}\n«|case 3: c(); break;\n»case 2: b(); break;\n"),
            &[],
        );
    }
    for goes_on in [
        "if (y) return;",
        "if (y) { return; } else { a(); }",
        "{ a(); }",
        "{}",
    ] {
        let case = format!("case 1: {goes_on}");
        script(
            &format!("{case}\n«|case 3: c(); break;\n»case 2: b(); break;\n"),
            &[&case],
        );
    }
    check_in(
        "a.js",
        ("switch (x) {\n", "}\n"),
        "case 1: try { throw y; } catch { break; }\n«|case 3:\nc();\n»case 2:\nb();\n",
        &[],
    );
    // What is put at the end of a case is of it.
    script("case 1: a();\n«|c();\n»case 2: b();\n«|d();\n»", &[]);
    script("case 1: a();\n«break;\n|»case 2: b();\n", &[]);
    let go = |text, expected: &[&str]| {
        check_in(
            "a.go",
            ("package a\n\nfunc f() {\nswitch x {\n", "}\n}\n"),
            text,
            expected,
        );
    };
    go(
        "case 1:\nfallthrough\n«|case 3:\nc()\n»case 2:\nb()\n",
        &["case 1:…"],
    );
    go(
        "case 1:\nfallthrough\n«|case 3:\nfallthrough\n»case 2:\nb()\n",
        &["case 1:…"],
    );
    go("case 1:\nfallthrough\ncase 2«|, 3»:\nb()\n", &[]);
    go("case 1:\n«|case 3:\nc()\n»case 2:\nb()\n", &[]);
}

#[test]
fn a_value_stays_on_the_line_of_its_word() {
    let check = |text: &str, expected: &[&str]| {
        check(
            "a.js",
            Bytes,
            &format!("function* f() {{\n  o: for (;;) {{\n{text}  }}\n}}\n"),
            expected,
        );
        check(
            "a.tsx",
            Bytes,
            &format!("function* f() {{\n  o: for (;;) {{\n{text}  }}\n}}\n"),
            expected,
        );
    };
    let found = &["return"][..];
    check("    return« |\n      »total\n", found);
    check("    «return a + b;|return\n      a + b + c;»\n", found);
    check("    return «|// sum\n»total\n", &["return total"]);
    check("    return« (|\n»{ a: 1 }«)|»\n", found);
    check("    «return a;|return\n      <B />;»\n", found);
    check("    yield« |\n      »a\n", &["yield"]);
    check("    break« |\n»o\n", &["break"]);
    check("    continue« |\n»o\n", &["continue"]);
    check("    return« |(\n      »total«|)»\n", &[]);
    check("    «return a|return»\n    function g() {}\n", &[]);
    check("    «return a|return;»\n    b()\n", &[]);
    check("    if (a)\n      «return a|return»\n    b()\n", &[]);
    check("    return\n    «b()|c()»\n", &[]);
    check("    «a()|return»\n    const b = 1\n", &[]);
    check("    «a()|if (b) break»\n    c()\n", &[]);
}

#[test]
fn a_preamble_stays_right_above_the_import_of_cgo() {
    let check = |text, expected: &[&str]| {
        check("a.go", Bytes, text, expected);
        check("a.go", Name, text, expected);
    };
    let import = &["import \"C\""][..];
    check(
        "package a\n\n/*\n#include <a.h>\n*/\n«|\n»import \"C\"\n",
        import,
    );
    check(
        "package a\n\n/*\n#include <a.h>\n«*/\nimport|*/\n\nimport» \"C\"\n",
        import,
    );
    check(
        "package a\n\n/*\n#include <a.h>«\n*/|\n#include <b.h>\n*/\n»\nimport \"C\"\n",
        import,
    );
    check(
        "package a\n\n// #include <a.h>\n«|import \"b\"\n»import \"C\"\n",
        import,
    );
    check(
        "package a\n\n// #include <a.h>\n«// #cgo b\n|\n»import \"C\"\n",
        import,
    );
    check(
        "package a\n\n/* #include <a.h> */\n«|// Says.\n»import \"C\"\n",
        import,
    );
    check(
        "package a\n\nimport (\n\t// #include <a.h>\n«|\t\"b\"\n»\t\"C\"\n)\n",
        &["\"C\""],
    );
    check(
        "package a\n\n/* #include <a.h> */\n«|// #include <b.h>\n// int b();\n»import \"C\"\n",
        &[],
    );
    check(
        "package a\n\n// #include <a.h>\n«|// #include <b.h>\n»import \"C\"\n",
        &[],
    );
    check(
        "package a\n\n«|import \"b\"\n\n»// #include <a.h>\nimport \"C\"\n«|import \"c\"\n»",
        &[],
    );
    check(
        "package a\n\n// Says.\n\n«/* int a(); */\n|»import \"C\"\n",
        &[],
    );
    check(
        "package a\n\n// #include <a.h>\n«import \"C\"\n|»\nvar b = 1\n",
        &[],
    );
    check(
        "package a\n\n// Says.\n\nimport \"C\"\n«|\nimport \"b\"\n»",
        &[],
    );
}

#[test]
fn who_names_bytes_means_what_they_are_a_part_of() {
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python("if a:\n    b()«|\nelse:\n    c()»\nd()\n", &[]);
    python("if a:\n    b()\n«|else:\n    c()\n»d()\n", &[]);
    python("x = f«|.g»(1)\ny = 2\n", &[]);
    python("x = f(1)«|.g()»\ny = 2\n", &[]);
    python(
        "class A:\n    x = 1\n\n«|    @dec\n»    def f(self): pass\n",
        &[],
    );
    python("«|@dec\n»def f(self): pass\n", &[]);
    python("x = 1; «y = 2|# y = 2»\nz = 3\n", &[]);
    python("«x = 1|x = 1  #»; y = 2\nz = 3\n", &["y = 2"]);
    python("«x = 1;|x = 1;  #» y = 2\nz = 3\n", &["y = 2"]);
    let script = |text, expected: &[&str]| check("a.js", Bytes, text, expected);
    script("«|if (x) {\n»a()\nb()\n«|}\n»c()\n", &[]);
    script("«if (x) {\n|»a()\nb()\n«}\n|»c()\n", &[]);
    script("«if (x)|while (y)» {\n  a()\n}\n", &[]);
    script("«function|async function» f() {\n  a()\n}\n", &[]);
    script("«|async »function f() {\n  a()\n}\n", &[]);
    script("function«|*» f() {\n  a()\n}\n", &[]);
    script("x => «y|{ return y }»\nb()\n", &[]);
    script("if (x) «|{ »y()«| }»\nb()\n", &[]);
    script("a()«|.then(b)»\nc()\n", &[]);
    script("«|await »a()\nc()\n", &[]);
    script("a()«;|»\n(c)()\n", &["(c)()"]);
    script("a();«b();|b(); //»c();\n", &["c()"]);
    script("«|/*»a()\nb()\nc()«|*/»\nd()\n", &["a()", "b()", "c()"]);
    script("«|export »class A {\n  x = 1\n}\n", &[]);
    check(
        "a.ts",
        Bytes,
        "«class|interface» A {\n  x: string\n  y: number\n}\n",
        &[],
    );
    check(
        "a.ts",
        Bytes,
        "class A {\n«|  @dec\n»  x() {}\n  y: number\n}\n",
        &[],
    );
    check(
        "A.java",
        Bytes,
        "class A {\n«|  @Override\n»  public void x() {}\n  int y = 1;\n}\n",
        &[],
    );
    check(
        "A.java",
        Bytes,
        "class A {\n  «|public »void x() {}\n  int y = 1;\n}\n",
        &[],
    );
    check("a.rs", Bytes, "«|#[test]\n»fn x() { a«|?»; b() }\n", &[]);
    check("a.rs", Bytes, "fn x() { a(); b()«|;\n c()» }\n", &[]);
}

/// What is quoted with its line break ends there: the next line is no part of it.
#[test]
fn who_names_a_line_does_not_mean_the_next_one() {
    let script = |text, expected: &[&str]| check("a.js", Bytes, text, expected);
    script("if (a)\n«  old()\n|»start()\n", &["start()"]);
    script("if (a)\n  old()\n«gone()\n|»start()\n", &[]);
    script("const f = () =>\n«  old();\n|»c();\n", &["c()"]);
    script("«a();\n|if (b)\n»c();\n", &["c()"]);
    script(
        "«a();\n|const x = b\n»(async () => {})();\n",
        &["(async () => {})()"],
    );
    script("«a();\n|const x = b;\n»(async () => {})();\n", &[]);
    script(
        "function f() {\n  if (a) {\n    b();\n  }\n«    a();\n  |    z();\n  »c();\n}\n",
        &[],
    );
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python("x = 1 + \\\n«  2\n|»y()\n", &["y()"]);
    python(
        "«DEBUG = 1\n|»\"\"\"About DEBUG.\"\"\"\nimport os\n",
        &["\"\"\"About DEBUG.\"\"\""],
    );
    python(
        "«|import os\n»\"\"\"Doc.\"\"\"\nx = 1\n",
        &["\"\"\"Doc.\"\"\""],
    );
    python("«@old\n|@new\n»def f(): pass\n", &[]);
    python("«@old\n|»def f(): pass\n", &[]);
    python("x = 1\n«|@new\n»def f(): pass\n", &[]);
}

#[test]
fn decorators_stay_with_what_they_decorate() {
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python(
        "@app.get(\"/old\")\n«def old():\n    return 1\n|»\n\ndef new():\n    return 2\n",
        &["def new():…"],
    );
    python(
        "@a\n«def old(): pass\n|# gone\n»\n@b\ndef new(): pass\n",
        &["def new(): pass"],
    );
    python(
        "@a\n«def old(): pass\n|def young(): pass\n»\ndef new(): pass\n",
        &[],
    );
    python("«@a\ndef old(): pass\n|»\ndef new(): pass\n", &[]);
    python("@a\n«|@b\n»@c\ndef new(): pass\n", &[]);
    python("@a\n«@c\n|»def new(): pass\n", &[]);
    check(
        "a.ts",
        Bytes,
        "class A {\n  @Input()\n«  old: string;\n|»\n  neu: string;\n}\n",
        &["neu: string"],
    );
    check(
        "a.rs",
        Bytes,
        "#[test]\n«fn a() {}\n|»\nfn b() {}\n",
        &["fn b() {}"],
    );
    check(
        "a.rs",
        Bytes,
        "fn f() {\n    #[cfg(x)]\n    «a();|»\n    b();\n}\n",
        &["b()"],
    );
    check(
        "A.java",
        Bytes,
        "class A {\n  @Nullable\n«  String a;\n|»  String b;\n}\n",
        &["String b"],
    );
}

#[test]
fn decorators_that_are_taken_are_not_made_up_for_by_anothers() {
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python(
        "@a\n«def old(): pass\n\n@b\n|»def new(): pass\n",
        &["def new(): pass"],
    );
    python(
        "@a\n«def old(): pass\n\n@b\n|@c\n»def new(): pass\n",
        &["def new(): pass"],
    );
    python("«def old(): pass\n\n@b\n|»def new(): pass\n", &[]);
    python("@a\n«@b\n|@c\n»def new(): pass\n", &[]);
    check(
        "a.rs",
        Bytes,
        "#[test]\n«fn a() {}\n\n#[cfg(x)]\n|»fn b() {}\n",
        &["fn b() {}"],
    );
    check(
        "a.rs",
        Bytes,
        "#[test]\n«|fn a() {}\n\n#[cfg(x)]\n»fn b() {}\n",
        &["fn b() {}"],
    );
}

#[test]
fn what_comes_before_a_quoted_line_stays_its_own() {
    let rust = |text, expected: &[&str]| check("a.rs", Bytes, text, expected);
    rust(
        "enum E {\n    #[default]\n    «One,|Zero,\n    One,»\n}\n",
        &["One"],
    );
    rust(
        "struct S {\n    #[skip]\n    «pub a: A,|pub b: B,\n    pub a: A,»\n}\n",
        &["pub a: A"],
    );
    rust(
        "struct S {\n    #[skip]\n    «|pub b: B,\n    »pub a: A,\n}\n",
        &["pub a: A"],
    );
    rust(
        "#[cfg(test)]\n«mod tests {|use crate::x;\n\nmod tests {»\n}\n",
        &["mod tests {…"],
    );
    rust("#[cfg(unix)]\n«impl A {|impl A {\n}\n\nimpl B {»\n}\n", &[]);
    rust(
        "fn f() {\n    #[cfg(x)]\n    «a();|b();\n    a();»\n}\n",
        &["a()"],
    );
    rust("pub «struct S;|struct T;\nstruct S;»\n", &["pub struct S"]);
    rust(
        "pub(crate) «fn a() {|fn b() {}\n\nfn a() {»\n}\n",
        &["pub(crate) fn a() {…"],
    );
    rust("«pub fn a() {|pub fn b() {}\n\npub fn a() {»\n}\n", &[]);
    rust(
        "pub «const A: u8 = 1;|const B: u8 = 2;\nconst A: u8 = B;»\n",
        &["pub const A: u8 = 1"],
    );
    rust("#[a]\n«fn f() {|#[b]\n// why\nfn f() {»\n}\n", &[]);
    rust("fn f() {\n    «a();|b();\n    a();»\n}\n", &[]);
    rust(
        "/// One.\n«fn a() {}|fn b() {}\n\nfn a() {}»\n",
        &["fn a() {}"],
    );
    rust("// One.\n«fn a() {}|fn b() {}\n\nfn a() {}»\n", &[]);
    rust("/// One.\n«fn a() {}|/// Two.\nfn a() {}»\n", &[]);
    rust("/// One.\n«|fn b() {}\n\n»fn a() {}\n", &["fn a() {}"]);
    check(
        "a.go",
        Bytes,
        "package a\n\n//go:embed t\n«var t string|var o string\nvar t string»\n",
        &["var t string"],
    );
    check(
        "a.ts",
        Bytes,
        "// @ts-expect-error\n«a();|b();\na();»\n",
        &["a()"],
    );
    let java = |text, expected: &[&str]| check("A.java", Bytes, text, expected);
    java(
        "class A {\n  @Override\n  «void f(int a) {|void f(long a) {}\n\n  void f(int a) {»}\n}\n",
        &["void f(int a) {}"],
    );
    java(
        "class A {\n  public static «void f() {|void g() {}\n\n  void f() {»}\n}\n",
        &["public static void f() {}"],
    );
    check(
        "a.ts",
        Bytes,
        "class A {\n  @Input()\n  «a: B;|b: B;\n  a: B;»\n}\n",
        &["a: B"],
    );
    check(
        "a.ts",
        Bytes,
        "export «const a = 1;|const b = 2;\nconst a = 1;»\n",
        &["export const a = 1"],
    );
}

#[test]
fn comments_for_what_is_below_them_go_with_it() {
    let go = |text: &str, expected: &[&str]| {
        check("a.go", Bytes, &format!("package a\n\n{text}"), expected)
    };
    go(
        "//go:embed t\n«var t string\n|»var o string\n",
        &["var t string"],
    );
    go("//go:embed t\n«var t string|»\nvar o string\n", &[]);
    go("«//go:embed t\nvar t string\n|»var o string\n", &[]);
    go("//go:build linux\n«var t string\n|»var o string\n", &[]);
    go(
        "// F does.\n«|func G() {}\n»func F() {}\n",
        &["func F() {}"],
    );
    go(
        "// F does\n// this.\n«func F() {}\n|»func G() {}\n",
        &["func F() {}"],
    );
    go("// Some words.\n«|func G() {}\n»func F() {}\n", &[]);
    let typescript = |inner: &str, expected: &[&str]| {
        check(
            "a.ts",
            Bytes,
            &format!("function f() {{\n  // @ts-expect-error old\n{inner}}}\n"),
            expected,
        );
    };
    typescript("«  a(1);\n|»  b(2);\n", &["a(1)"]);
    typescript("«  a(1);\n|»  // more\n  b(2);\n", &["a(1)"]);
    typescript("«  a(1);\n|»", &[]);
    typescript("«  a(1);\n|\n»  b(2);\n", &[]);
    typescript("«|  c();\n»  a(1);\n", &["a(1)"]);
    typescript("«|  // why\n»  a(1);\n", &[]);
    typescript("  a(«1|2»);\n", &[]);
    typescript("  «a(1)|c(2)»;\n", &[]);
    check(
        "a.rs",
        Bytes,
        "/// Doc.\n«fn d() {}\n|»fn e() {}\n",
        &["fn d() {}"],
    );
    check("a.rs", Bytes, "// Words.\n«fn d() {}\n|»fn e() {}\n", &[]);
    check(
        "a.ts",
        Bytes,
        "// @ts-ignore\n«async |»function f() {}\n",
        &[],
    );
}

#[test]
fn a_block_may_get_a_header_ahead_of_its_own() {
    let go = |inner: &str, expected: &[&str]| {
        check(
            "a.go",
            Bytes,
            &format!("package a\n\nfunc f() {{\n\t{inner}\t\tg()\n\t}}\n}}\n"),
            expected,
        );
    };
    go("«if x {|if y {\n\t\th()\n\t} else if x {»\n", &[]);
    go("«if x {|if y {\n\t\th()\n\t} else {»\n", &[]);
    go("«if y {\n\t\th()\n\t} else if x {|if x {»\n", &[]);
    check(
        "a.js",
        Bytes,
        "«if (x) {|if (y) {\n  h()\n} else if (x) {»\n  g()\n}\n",
        &[],
    );
}

#[test]
fn what_takes_a_part_of_a_line_stays_in_it() {
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python("def f(): «old()|x()\ny()»\nb()\n", &["y()"]);
    python("def f(): «old()|x(); y()»\nb()\n", &[]);
    python("def f():\n    return «1|2\n\n\ndef g(): pass»\n", &[]);
    check(
        "a.js",
        Bytes,
        "if (c) «old();|x();\ny();»\nb();\n",
        &["y()"],
    );
    check(
        "a.js",
        Bytes,
        "if (c) «old();|{\n  x();\n  y();\n}»\nb();\n",
        &[],
    );
}

#[test]
fn content_does_not_leave_the_header_that_it_begins_under() {
    check(
        "a.py",
        Name,
        "for q in r: «x = 1|x = 2\nprint(x)»\nz()\n",
        &["print(x)"],
    );
    check("a.py", Name, "if a: «x = 1|x = 2\ny = 3»\n", &["y = 3"]);
    check(
        "a.py",
        Name,
        "class A: x = 1; «y = 2|y = 3\nz = 4»\n",
        &["z = 4"],
    );
    check(
        "a.py",
        Name,
        "if a:\n    if b: «x = 1|x = 2\n    y = 3»\n",
        &["y = 3"],
    );
    check("a.py", Name, "if a: «x = 1|x = 2; y = 3»\nz()\n", &[]);
    check("a.py", Name, "if a: «x = 1|x = [\n    2,\n]»\nz()\n", &[]);
    check(
        "a.py",
        Name,
        "if a:\n    «x = 1|x = 2\n    y = 3»\n    z()\n",
        &[],
    );
    check(
        "a.js",
        Name,
        "if (debug) «function log() {}|function log() {}\nsetup()»\nz()\n",
        &["setup()"],
    );
    check(
        "a.js",
        Name,
        "if (a) b()\nelse\n  «function g() {}|function g() {}\n  h()»\n",
        &["h()"],
    );
    check(
        "a.js",
        Name,
        "export «const b = 2|const b = 3\nconst c = 4»\nz()\n",
        &[],
    );
    check(
        "a.js",
        Name,
        "function f() {\n  «let a = 1|let a = 2\n  let b = 3»\n}\n",
        &[],
    );
}

#[test]
fn constants_that_repeat_what_is_above_them() {
    let check = |entries: &str, expected: &[&str]| {
        for who in [Name, Bytes] {
            check(
                "a.go",
                who,
                &format!("package a\n\nconst (\n{entries})\n"),
                expected,
            );
        }
    };
    // `iota` counts entries, those without a name too.
    check("\tA = iota\n«\tB\n|»\tC\n\tD\n", &["C", "D"]);
    check("\tA = iota\n\tB\n«|\tX\n»\tC\n", &["C"]);
    check("\tA = iota\n«|\t_\n»\tB\n", &["B"]);
    check("\tA = iota\n«\tB|\tB\n\tX»\n\tC\n", &["C"]);
    check("«\tA = 1\n|»\tB = iota\n\tC\n", &["C"]);
    check("«\tA = iota\n|»\tB\n\tC\n", &["B", "C"]);
    check("«\tA = iota\n|»\tB = iota\n\tC\n", &["C"]);
    check("\tA = iota\n«\tB\n|»\t«C|D»\n", &["C"]);
    check("\tA = iota\n«\tB\n|»\tOld«One|Two»s\n", &["OldOnes"]);
    check("\tA = iota\n\t«B|D»\n\tOld«One|Two»s\n", &[]);
    check("\tA, a = iota, iota + 1\n«\tB, b\n|»\tC, c\n", &["C, c"]);
    // Another expression above.
    check("\tA = 1\n«|\tX = 2\n»\tB\n", &["B"]);
    check("\tZ = 1\n«\tA = 2\n|»\tB\n", &["B"]);
    check("\tA = «iota|iota + 1»\n\tB\n", &["B"]);
    check("\tA «Kind |»= iota\n\tB\n", &["B"]);
    // Nothing is said of what stands for the same.
    check("\tA = iota\n\tB\n«|\tC\n»", &[]);
    check("\tA = iota\n\tB\n«\tC\n|»", &[]);
    check("\tA = 1\n«\tB\n|»\tC\n", &[]);
    check("\tA = 1\n«|\tX\n»\tB\n", &[]);
    check("\tA = «1|2»\n\tB = 3\n\tC\n", &[]);
    check("\tA = 1\n\tB = 2\n«|\tX = 3\n»\tC = 4\n", &[]);
    check("\tA = iota // «one|two»\n\tB\n", &[]);
    check("\tA = «iota+1|iota + 1 /* one */»\n\tB\n", &[]);
    check("\tA = iota\n«\tB|\tX»\n\tC\n", &[]);
    check("\t«A = iota\n\tB\n\tC|A = iota\n\tC»\n", &[]);
    check("\tA = iota\n\t«B\n\tC|C\n\tB»\n\tD\n", &[]);
}

#[test]
fn constants_of_other_groups_and_functions() {
    let check = |text, expected: &[&str]| check("a.go", Name, text, expected);
    let own = "package a\n\nconst (\n\tA = iota\n«\tB\n|»)\n\nconst (\n\tC = iota\n\tD\n)\n";
    check(own, &[]);
    let local =
        "package a\n\nfunc f() {\n\tconst (\n\t\tA = iota\n«\t\tB\n|»\t\tC\n\t)\n\tg(C)\n}\n";
    check(local, &["C"]);
}

/// What remains of something whose first lines are quoted stays with it.
#[test]
fn tails_stay_with_what_they_belong_to() {
    let python = |text: &str, expected: &[&str]| check("a.py", Bytes, text, expected);
    python(
        "«if a:\n    x()\n|if a:\n    x()\nif b:\n    z()\n»    y()\n",
        &["if a:"],
    );
    python(
        "«if a:\n    x()\n|if a:\n    x()\nif b:\n    z()\n»elif c:\n    y()\nelse:\n    z()\n",
        &["if a:"],
    );
    python(
        "«if a:\n    return_(1)\n|if a:\n    return_(1)\nif b:\n    return_(1)\n»else:\n    y()\n",
        &["if a:"],
    );
    python(
        "«if f(a):\n    x()\n|if f(a):\n    x()\nif f(b):\n    z()\n»    y()\n",
        &["if f(a):"],
    );
    python(
        "«if a:\n    x()\n|if a and d:\n    x()\nif b:\n    z()\n»    y()\n",
        &["if a:"],
    );
    python(
        "«for a in b:\n|for a in b:\n    pass\n\nwhile c:\n»    y()\n",
        &["for a in b:"],
    );
    python(
        "«class A:\n|class A:\n    x = 1\n\n\nclass B:\n»    def f(self): pass\n",
        &["class A:"],
    );
    python(
        "«def f():\n    a()\n|def f():\n    a()\n\n\ndef g():\n    b()\n»    c()\n",
        &["def f():"],
    );
    python(
        "«try:\n    a()\n|try:\n    a()\nexcept E: pass\ntry:\n    b()\n»except F: pass\n",
        &["try:"],
    );
    for quoted in ["a(x)  # first\n", "a(x)\n# then b\n", "a(\n"] {
        let shifted = |depth: &str| {
            let lines = quoted.lines().map(|line| format!("{depth}{line}\n"));
            lines.collect::<String>()
        };
        let rest = match quoted {
            "a(\n" => "            x,\n        )\n        b(x)\n",
            _ => "        b(x)\n",
        };
        let (flat, deep) = (shifted("        "), shifted("            "));
        let head = "for x in y:\n";
        for wrapper in ["with lock:", "def g():", "if y:"] {
            let text = format!(
                "def f(y):\n«    {head}{flat}|    {wrapper}\n        {head}{deep}»{rest}    return 1\n"
            );
            python(&text, &["for x in y:"]);
        }
        let text = format!("def f(y):\n«    {head}{flat}|    for z in y:\n{flat}»{rest}");
        python(&text, &[]);
        let text = format!("def f(y):\n    «{head}|if y:\n        z()\n    {head}»{flat}{rest}");
        python(&text, &[]);
    }
    let script = |text, expected: &[&str]| check("a.js", Bytes, text, expected);
    script(
        "«if (a) {\n  x()\n}|if (a) {\n  x()\n}\nif (b) {\n  z()\n}» else {\n  y()\n}\n",
        &["if (a) {"],
    );
    script(
        "«class A {|class A {\n}\nclass B {»\n  f() {}\n}\n",
        &["class A {"],
    );
    check(
        "a.ts",
        Bytes,
        "«class A {|class A {\n}\nclass B {»\n  f() {}\n}\n",
        &["class A {"],
    );
    check(
        "A.java",
        Bytes,
        "«class A {|class A {\n}\nclass B {»\n  void f() {}\n}\n",
        &["class A {"],
    );
    let java = |inner: &str, expected: &[&str]| {
        check(
            "A.java",
            Bytes,
            &format!("class A {{\n  void f() {{\n{inner}  }}\n}}\n"),
            expected,
        );
    };
    java(
        "    «if (a) {\n      x();\n    }|if (a) {\n      x();\n    }\n    if (b) {\n      z();\n    }» else {\n      y();\n    }\n",
        &["if (a) {"],
    );
    let rust = |text, expected: &[&str]| check("a.rs", Bytes, text, expected);
    rust(
        "fn f() {\n    «if a {\n        x();\n    }|if a {\n        x();\n    }\n    if b {\n        z();\n    }» else {\n        y();\n    }\n}\n",
        &["if a {"],
    );
    rust(
        "«impl A {|impl A {\n}\n\nimpl B {»\n    fn f() {}\n}\n",
        &["impl A {"],
    );
    let go = |text: &str, expected: &[&str]| {
        check("a.go", Bytes, &format!("package a\n\n{text}"), expected)
    };
    go(
        "func f() {\n\t«if a {\n\t\tx()\n\t}|if a {\n\t\tx()\n\t}\n\tif b {\n\t\tz()\n\t}» else {\n\t\ty()\n\t}\n}\n",
        &["if a {"],
    );
    go(
        "func f() {\n\tswitch a {\n\t«case 1:\n|case 1:\n\tcase 2:\n»\t\tx()\n\t}\n}\n",
        &["case 1:"],
    );
}

#[test]
fn comments_of_what_goes_are_none_of_what_has_its_own() {
    let check = |path, text: &str, expected: &[&str]| check(path, Bytes, text, expected);
    check(
        "m.go",
        "package a\n\n//go:noinline\n«func X() {}\n\n|»// Y does.\nfunc Y() {}\n",
        &["func X() {}"],
    );
    check(
        "m.go",
        "package a\n\ntype A struct {\n\t// X is.\n«\tX int\n|»\t// Y is.\n\tY int\n}\n",
        &["X int"],
    );
    check(
        "m.rs",
        "/// Deletes.\n«fn x() {}\n\n|»/// Reads.\nfn y() {}\n",
        &["fn x() {}"],
    );
    check(
        "a.ts",
        "// @ts-ignore\n«a();\n|»// eslint-disable-next-line x\nb();\n",
        &["a()"],
    );
    check(
        "m.py",
        "# pylint: disable-next=x\n«a()\n|»# says\nb()\n",
        &["a()"],
    );
    // With it, and what is for more than that.
    check(
        "m.go",
        "package a\n\n«// X does.\nfunc X() {}\n\n|»// Y does.\nfunc Y() {}\n",
        &[],
    );
    check(
        "m.go",
        "package a\n\n// Two of them.\n«func X() {}\n\n|»// Y does.\nfunc Y() {}\n",
        &[],
    );
    check("a.ts", "/* eslint-disable */\n«a();\n|»// b\nb();\n", &[]);
    check("m.py", "# first\n«a()\n|»# then\nb()\n", &[]);
}

#[test]
fn comments_that_are_obeyed_where_there_are_no_statements() {
    let check = |name: &str, text: &str, expected: &[&str]| {
        let found = heirs(name, text);
        let found: Vec<&str> = found.iter().map(|(owner, _)| &owner[..]).collect();
        assert_eq!(found, expected, "{text}");
    };
    let yaml = |text, expected: &[&str]| check("a.yaml", text, expected);
    yaml("a:\n  # renovate: x\n«  b: 1\n|»  c: 2\n", &["b: 1"]);
    yaml("a:\n  # renovate: x\n«|  z: 0\n»  b: 1\n", &["b: 1"]);
    yaml("a:\n  # renovate: x\n«  b: 1|  b: 2»\n  c: 2\n", &[]);
    yaml("a:\n«  # renovate: x\n  b: 1\n|»  c: 2\n", &[]);
    yaml("a:\n  # says\n«  b: 1\n|»  c: 2\n", &[]);
    let page = |text, expected: &[&str]| check("a.md", text, expected);
    page("<!-- prettier-ignore -->\n«a  b\n\n|»c  d\n", &["a  b"]);
    page("<!-- prettier-ignore -->\n«a  b\n\n|»# B\n", &["a  b"]);
    page("<!-- prettier-ignore -->\n\n«a  b\n\n|»# B\n", &["a  b"]);
    page("<!-- says -->\n«a\n\n|»b\n", &[]);
}

#[test]
fn decorators_alone_are_not_given_back() {
    check(
        "a.py",
        Bytes,
        "«@a\n@b(1)\ndef old(): pass\n|@b(1)\n»def new(): pass\n",
        &["def new(): pass"],
    );
    check(
        "A.java",
        Bytes,
        "class A {\n«  @X(\"a\")\n  int a() { return 1; }\n|  @X(\"a\")\n»\n  int b() { return 2; }\n}\n",
        &["int b() { return 2; }"],
    );
    let rust = |text, expected: &[&str]| check("a.rs", Bytes, text, expected);
    rust("«#[d]\nstruct A;\n|#[d]\n»\nstruct B;\n", &["struct B"]);
    rust(
        "fn f() {\n«    #[c]\n    a();\n|    #[c]\n»    b();\n}\n",
        &["b()"],
    );
    // Another one, or one with other arguments, is meant for what comes next; so is one that moves, and one of a definition that is given back.
    check(
        "a.py",
        Bytes,
        "«@a\ndef old(): pass\n|@b\n»def new(): pass\n",
        &[],
    );
    check(
        "a.py",
        Bytes,
        "«@a\ndef old(): pass\n|def old(): pass\n\n\n@a\n»def new(): pass\n",
        &[],
    );
    check(
        "a.ts",
        Bytes,
        "class A {\n  @Input()\n«  a: string;\n  @Input()\n|  a: number;\n  @Input({required: true})\n»  b: string;\n}\n",
        &[],
    );
}

#[test]
fn what_something_is_declared_with_stays_with_it() {
    for word in ["static", "async", "get", "private"] {
        let was = format!("{word} a() {{");
        let z = format!("{word} z() {{\n    return 0;\n  }}\n\n ");
        let class = |change: &str| format!("class A {{\n  «{change}»\n    return 1;\n  }}\n}}\n");
        let check = |change: &str, expected: &[&str]| {
            check("a.ts", Bytes, &class(change), expected);
        };
        check(&format!("{was}|{z} a() {{"), &[&was]);
        check(&format!("{was}|{z} {was}"), &[]);
        check(&format!("{was}|a() {{"), &[]);
        check(
            &format!("{was}|z() {{\n    return 0;\n  }}\n\n  {was}"),
            &[],
        );
        check(&format!("a() {{|{z} a() {{"), &[]);
    }
    let check = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    check(
        "«class A(B):|class Z(B):\n    y = 1\n\n\nclass A:»\n    x = 1\n",
        &["class A(B):"],
    );
    check(
        "«class A(B):|class B:\n    y = 1\n\n\nclass A:»\n    x = 1\n",
        &[],
    );
    check(
        "«class A(B):|class Z(B):\n    y = 1\n\n\nclass A(Z, B):»\n    x = 1\n",
        &[],
    );
    check(
        "«class A(B):|class Z:\n    y = 1\n\n\nclass A(Z):»\n    x = 1\n",
        &[],
    );
    check("«class A(B):|class A:»\n    x = 1\n", &[]);
}

#[test]
fn heads_of_tails_may_change() {
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python(
        "«if a:\n    x()\n|if a and b:\n    x()\n»    y()\nelse:\n    z()\n",
        &[],
    );
    python(
        "«if a:\n    x()\n|if b:\n    w()\nif a:\n    x()\n»    y()\n",
        &[],
    );
    python(
        "«if a:\n    x()\n|if a:\n    if b:\n        w()\n    x()\n»    y()\n",
        &[],
    );
    python(
        "«class A:\n|class A(Base):\n    x = 1\n»    def f(self): pass\n",
        &[],
    );
    python("«class A:\n|class B:\n»    def f(self): pass\n", &[]);
    python(
        "«class A:\n|class Base:\n    pass\n\n\nclass A(Base):\n»    def f(self): pass\n",
        &[],
    );
    python(
        "«if a:\n    x()\n|if a:\n    w()\nif a:\n    x()\n»    y()\n",
        &[],
    );
    python(
        "«if f(a):\n    x()\nif f(a):\n|if f(a, b):\n    x()\nif f(a, b):\n»    y()\n",
        &[],
    );
    python(
        "«class A(B):\n|class C(B):\n    pass\n\n\nclass A(C):\n»    def f(self): pass\n",
        &[],
    );
    let go = |text: &str, expected: &[&str]| {
        check(
            "a.go",
            Bytes,
            &format!("package a\n\nfunc f() {{\n{text}}}\n"),
            expected,
        )
    };
    go(
        "«\tif e := g(a); e {\n\t}\n\tif e := h(); e {\n\t}\n\tif e := g(a); e {\n|\tif e := g(a, b); e {\n\t}\n\tif e := h(); e {\n\t}\n\tif e := g(a, b); e {\n»\t\tx()\n\t}\n",
        &[],
    );
    // The first lines of the body go over, with all below them.
    python(
        "«def f():\n    a()\n|def f():\n    g(1)\n\n\ndef g(x):\n    a()\n»    c()\n",
        &[],
    );
    python(
        "«try:\n    a()\n|try:\n    b()\nexcept E: pass\ntry:\n    a()\n»except F: pass\n",
        &[],
    );
    check(
        "a.js",
        Bytes,
        "switch (a) {\n«case 1:\n|case 1:\ncase 2:\n»  x()\n}\n",
        &[],
    );
    check(
        "a.js",
        Bytes,
        "«if (a) {\n  x()\n}|if (a) {\n  x()\n} else if (b) {\n  z()\n}» else {\n  y()\n}\n",
        &[],
    );
}

#[test]
fn tails_of_segments_stay_with_them() {
    let yaml = |text, expected| check_segments("a.yml", text, expected);
    let deploy =
        "steps:\n«  - run: ./deploy\n|  - run: ./deploy\n  - run: ./notify\n»    if: main\n";
    yaml(deploy, Some(("- run: ./deploy", "- run: ./notify")));
    yaml(
        "«- run: ./deploy\n|- run: ./deploy --now\n- run: ./notify\n»  if: main\n",
        Some(("- run: ./deploy", "- run: ./notify")),
    );
    yaml(
        "«a:\n  x: 1\n|a:\n  x: 1\nb:\n  z: 1\n»  y: 2\n",
        Some(("a:", "b:")),
    );
    yaml(
        "steps:\n«  - run: ./deploy\n|  - run: ./notify\n  - run: ./deploy\n»    if: main\n",
        None,
    );
    yaml(
        "steps:\n«  - run: ./deploy\n|  - run: ./notify\n»    if: main\n",
        None,
    );
    yaml(
        "steps:\n«  - uses: a@v3\n|  - uses: a@v4\n»    if: main\n",
        None,
    );
    yaml("«a:\n|b:\n»  y: 2\n", None);
    let json = |text, expected| check_segments("a.json", text, expected);
    json(
        "{\n«  \"a\": {\n|  \"a\": {},\n  \"b\": {\n»    \"y\": 2\n  }\n}\n",
        Some(("\"a\": {", "\"b\": {")),
    );
    json(
        "{\n«  \"a\": {\n    \"x\": 1,\n|  \"a\": {\n    \"x\": 1\n  },\n  \"b\": {\n»    \"y\": 2\n  }\n}\n",
        Some(("\"a\": {", "\"b\": {")),
    );
    json(
        "[\n«  {\n    \"x\": 1,\n|  {\n    \"x\": 1\n  },\n  {\n    \"x\": 2,\n»    \"y\": 2\n  }\n]\n",
        Some(("{", "{")),
    );
    let markdown = |text, expected| check_segments("a.md", text, expected);
    markdown(
        "# A\n\n«## B\n|## B\n\n## N\n»\nText.\n",
        Some(("## B", "## N")),
    );
    markdown("# A\n\n«## B\n|## B\n\nIntro.\n\n### N\n»\nText.\n", None);
    markdown("# A\n\n«## B\n|## C\n»\nText.\n", None);
    markdown(
        "# A\n\n«## Step 2: Write the docs\n|## Step 2: Test\n\n## Step 3: Write the docs\n»\nText.\n",
        None,
    );
    markdown("# A\n\n«## B\n|## N\n\nNew.\n\n## B\n»\nText.\n", None);
    markdown(
        "# A\n\n«## [Unreleased]\n|## [Unreleased]\n\n## 1.2\n»\n- x\n",
        None,
    );
    for next in [
        "Next",
        "[master]",
        "In Progress",
        "2.0.0-dev",
        "Next release",
    ] {
        let text = format!("# A\n\n«## {next}\n|## {next}\n\n## v1.2\n»\n- x\n");
        check_segments("a.md", &text, None);
    }
    markdown(
        "# A\n\n«## Next\n|## Next\n\n## Last\n»\n- x\n",
        Some(("## Next", "## Last")),
    );
    markdown(
        "---\n«a:\n|a:\n  x: 1\nb:\n»  y: 2\n---\n",
        Some(("a:", "b:")),
    );
    let toml = |text, expected| check_segments("a.toml", text, expected);
    toml(
        "«[package]\n|[package]\n\n[lib]\n»name = \"x\"\n",
        Some(("[package]", "[lib]")),
    );
    toml("«[package]\n|[project]\n»name = \"x\"\n", None);
    check_segments(
        "a.go",
        "package a\n\n«type A struct {\n|type A struct {\n}\n\ntype B struct {\n»\tx int\n}\n",
        Some(("type A struct {", "type B struct {")),
    );
}

#[test]
fn decorators_that_are_quoted_stay_with_what_they_decorate() {
    let python = |text, expected: &[&str]| check("a.py", Bytes, text, expected);
    python(
        "class A:\n«    @staticmethod\n|    @staticmethod\n    def n(x): pass\n\n»    def f(x): pass\n",
        &["def f(x): pass"],
    );
    python(
        "«@a\n|@a\ndef n(): pass\n\n»@b\ndef f(x): pass\n",
        &["def f(x): pass"],
    );
    python("«@a\n|@a\ndef n(): pass\n\n@a\n»def f(x): pass\n", &[]);
    python("«@a\n|@b\n»def f(x): pass\n", &[]);
    python("«@a\n|@a\n@b\n»def f(x): pass\n", &[]);
    let rust = |text, expected: &[&str]| check("a.rs", Bytes, text, expected);
    rust(
        "«#[test]\n|#[test]\nfn n() {}\n\n»fn f() {}\n",
        &["fn f() {}"],
    );
    rust(
        "«#[derive(A)]\n|#[derive(A)]\nstruct N;\n\n»pub struct S;\n",
        &["pub struct S"],
    );
    rust(
        "«/// One.\n|/// One.\nfn n() {}\n\n»fn f() {}\n",
        &["fn f() {}"],
    );
    check(
        "A.java",
        Bytes,
        "class A {\n«  @Override\n|  @Override\n  void n() {}\n\n»  void f() {}\n}\n",
        &["void f() {}"],
    );
    check(
        "a.ts",
        Bytes,
        "class A {\n«  @Input()\n|  @Input()\n  n: B;\n»  f: B;\n}\n",
        &["f: B"],
    );
    check(
        "a.go",
        Bytes,
        "package a\n\n«//go:noinline\n|//go:noinline\nfunc n() {}\n\n»func f() {}\n",
        &["func f() {}"],
    );
    check(
        "a.go",
        Bytes,
        "package a\n\n«//go:noinline\n|func n() {}\n\n//go:noinline\n»func f() {}\n",
        &[],
    );
}

#[test]
fn what_commas_part_in_a_style() {
    let check = |text, expected: &[&str]| check_css(text, expected);
    check("«.a,|.a»\n.b { c: d }\n", &[".b"]);
    check(".a,\n«.b,\n|.b\n».c { c: d }\n", &[".c"]);
    check("«|.x\n».a,\n.b { c: d }\n", &[".a"]);
    check(".a,\n«|.x\n».b { c: d }\n", &[".b"]);
    check("«.a,|.a» .b { c: d }\n", &[".b"]);
    check("@media x {\n  «.a,|.a»\n  .b { c: d }\n}\n", &[".b"]);
    check("«@media a,|@media a»\n  b { .c { d: e } }\n", &["b"]);
    check(
        ".a {\n  transition:\n    «b 1s,|b 2s»\n    c 1s;\n}\n",
        &["c 1s"],
    );
    // A comma that stays, one that is not needed, what is meant to be one, and what is around it on both sides.
    check("«.a,|.x,»\n.b { c: d }\n", &[]);
    check("«.a,\n|».b { c: d }\n", &[]);
    check(".a«,\n.b|» { c: d }\n", &[]);
    check(".a,\n«|.x,\n».b { c: d }\n", &[]);
    check("«|.x ».a,\n.b { c: d }\n", &[]);
    check("«.a,|» .b { c: d }\n.e { f: g }\n", &[]);
    check(".a { c: d }\n«.b,|»\n.c,\n.d { e: f }\n", &[]);
    check("@media x {\n  «.a,|» .b { c: d }\n}\n", &[]);
    check(".a { c: d }\n«|.b»\n.c { e: f }\n", &[".c { e: f }"]);
    check(".a«|:hover»,\n.b { c: d }\n", &[]);
    check("«|:is(».a, .b, .c«|) p» { c: d }\n", &[]);
    check("«.a,|.a >»\n.b { c: d }\n", &[]);
    check(".a {\n  transition: b 1s«|, c 1s»;\n}\n", &[]);
    check(".a {\n  font: «b|calc(1px + b)», c d;\n}\n", &[]);
    check(".a {\n  «transition|--t»: b 1s,\n    c 1s;\n}\n", &[]);
}

#[test]
fn what_is_below_an_item_of_a_page_goes_to_no_other() {
    let markdown = |text: &str, expected| check_segments("a.md", text, expected);
    let list = Some(("- Configure", "- Install"));
    for content in ["", "Some text\n", "  Some text\n"] {
        let page =
            format!("- Install\n  - on Linux\n«- Configure\n|{content}»  - set the port\n- Run\n");
        markdown(&page, list);
    }
    markdown("- Install\n«- Configure\n|»  the port\n", list);
    markdown("- Install\n«- Configure|»\n  the port\n", list);
    markdown("- Install\n\n«- Configure\n|»\n  the port\n", list);
    markdown(
        "- Install\n«- Configure\n  the port\n|»  and the host\n",
        list,
    );
    markdown(
        "1. Build\n«2. Deploy\n|»\n   ~~~sh\n   deploy --prod\n   ~~~\n\n3. Rest\n",
        Some(("2. Deploy", "1. Build")),
    );
    markdown(
        "a[^1] b[^2]\n\n[^1]: one\n«[^2]: two\n|»    more of two\n",
        Some(("[^2]: two", "[^1]: one")),
    );
    markdown("> - a\n«> - b\n|»>   - of b\n", Some(("- b", "- a")));
    markdown("- a\n  - b\n«  - c\n|»    - of c\n", Some(("- c", "- b")));
}

#[test]
fn an_item_of_a_page_may_go_with_all_below_it_or_be_joined() {
    let passes = |text| check_segments("a.md", text, None);
    passes("- a\n«- b\n|»- c\n  - of c\n");
    passes("- a\n«- b\n  - of b\n|»- c\n");
    passes("- a\n«- b\n|»«  - of b\n|»- c\n");
    passes("- a\n«- b\n|- n\n»  - of b\n");
    passes("- a\n«- b\n|* n\n»  - of b\n");
    // The first of all has none above it.
    passes("«- a\n|»  - of a\n- b\n");
    // Whether the lines of the one or of the other went cannot be seen.
    passes("- a\n«  - x\n- b\n|»  - x\n- c\n");
    passes("- a\n  more\n  «of a\n- b\n  |»of b\n");
    // What is one level up takes what its item had.
    passes("- a\n«  - b\n|»    - of b\n");
}

#[test]
fn an_alias_stands_for_the_anchor_that_it_stood_for() {
    let check = |who, text: &str, expected: Option<&str>| {
        let (edit, old, new) = documents("a.yaml", who, text);
        let found = super::check(&edit, &old, &new);
        let told = found.first().map(|it| quoted(&it.message));
        assert_eq!(told, expected, "{text}\n{found:#?}");
    };
    let compose =
        "x-base: &base\n  restart: always\n«|x-jobs: &base\n  restart: no\n»web:\n  <<: *base\n";
    check(Name, compose, Some("*base"));
    check(Bytes, compose, Some("*base"));
    check(Bytes, "a: &b 1\n«|c: &b 2\n»use: *b\n", Some("*b"));
    check(Bytes, "- &b {k: 1}\n«|- &b {k: 2}\n»- *b\n", Some("*b"));
    check(
        Bytes,
        "a: &b {k: 1}\n«c: 1|c: &b {k: 2}»\nuse:\n  <<: [*b]\n",
        Some("*b"),
    );
    // The one that it stood for goes, and another is above.
    check(Bytes, "a: &b 1\n«c: &b 2\n|»use: *b\n", Some("*b"));

    // Whatever the anchor is of may change, and move.
    check(Bytes, "a: &b «1|2»\nuse: *b\n", None);
    check(Bytes, "«a|c»: &b 1\nuse: *b\n", None);
    check(Bytes, "a: «|&n »x\nc: &b 1\nuse: *b\n", None);
    check(Bytes, "a: &b\n«|  x: 1\n»  y: 2\nuse: *b\n", None);
    check(Bytes, "«a: &b 1\n|»c: 2\n«|a: &b 1\n»use: *b\n", None);
    // Below all that name it, above the one that they name, in another document; aliases of the content's own.
    check(Bytes, "a: &b 1\nuse: *b\n«|c: &b 2\nd: *b\n»", None);
    check(Bytes, "«|c: &b 2\nd: *b\n»a: &b 1\nuse: *b\n", None);
    check(Bytes, "a: &b 1\nuse: *b\n«|---\nc: &b 2\nd: *b\n»", None);
    check(Bytes, "a: &b 1\n«use: *b\n|c: &b 2\nuse: *b\n»", None);
}

/// Holds an edit of a style by bytes to the items that it makes parts of others.
#[track_caller]
fn check_css(text: &str, expected: &[&str]) {
    let (edit, old, new) = documents("a.css", Bytes, text);
    let css = |document: Document| document.in_language(Some(&CSS));
    let found = super::check(&edit, &css(old), &css(new));
    let quoted: Vec<&str> = found.iter().map(|it| quoted(&it.message)).collect();
    assert_eq!(quoted, expected, "{text}\n{found:#?}");
}

#[test]
fn what_a_quoted_header_opens_stays_with_it() {
    let javascript = |text, header, heir| check_segments("a.js", text, Some((header, heir)));
    javascript(
        "function f() {\n  «if (a) {|if (a) {\n    n();\n  } else if (b) {»\n    x();\n  }\n}\n",
        "if (a) {",
        "else if (b) {",
    );
    javascript(
        "«if (a) {|if (a) {\n  n();\n} else {»\n  x();\n}\n",
        "if (a) {",
        "else {",
    );
    javascript(
        "«try {|try {\n  n();\n} catch (e) {»\n  x();\n} finally {\n  y();\n}\n",
        "try {",
        "catch (e) {",
    );
    javascript(
        "const o = {\n«  a: {|  a: {\n    n: 1,\n  },\n  b: {»\n    x: 1,\n  },\n};\n",
        "a: {",
        "b: {",
    );
    javascript("f(«g(|g(1),\n  h(»\n  x,\n));\n", "g(", "h(");
    let jsx = |text, header, heir| check_segments("a.jsx", text, Some((header, heir)));
    jsx(
        "const a = (\n  <p>\n    «<div id=\"a\">|<div id=\"a\">\n      <i>n</i>\n    </div>\n    <div id=\"b\">»\n      <i>x</i>\n    </div>\n  </p>\n);\n",
        "<div id=\"a\">",
        "<div id=\"b\">",
    );
    for path in ["a.ts", "a.java", "a.go", "a.rs"] {
        let (head, tail) = match path {
            "a.java" => ("class A { void f() {\n", "}}\n"),
            "a.go" => ("package a\n\nfunc f() {\n", "}\n"),
            "a.rs" => ("fn f() {\n", "}\n"),
            _ => ("", ""),
        };
        let around = |code: &str| format!("{head}{code}{tail}");
        let of = |path: &str, code: &str, expected| check(path, Bytes, &around(code), expected);
        of(
            path,
            "«if (x) {|if (x) {\nn();\n} else if (y) {»\nz();\n}\n",
            &["if (x) {"],
        );
        of(
            path,
            "«if (x) {|if (x) {\nn();\n} else {»\nz();\n}\n",
            &["if (x) {"],
        );
        // The header at the end, or another one.
        of(
            path,
            "«if (x) {|if (y) {\nn();\n} else if (x) {»\nz();\n}\n",
            &[],
        );
        of(
            path,
            "«if (x) {|if (x) {\nif (y) {\nn();\n}»\nz();\n}\n",
            &[],
        );
        of(
            path,
            "«if (x) {|if (x) {\nif (y) {\nn();\n} else {\nm();\n}»\nz();\n}\n",
            &[],
        );
        of(path, "«if (x) {|if (x) {\nif (y) {»\nz();\n«}|}\n}»\n", &[]);
        // Another one with some of its words in it; with all of them it is that.
        of(
            path,
            "«if (x == y) {|if (z) {\nif (x > w) {\nn();\n}»\nz();\n}\n",
            &[],
        );
        of(
            path,
            "«if (x == y) {|if (z) {\nif (x == y) {\nn();\n}»\nz();\n}\n",
            &["if (x == y) {"],
        );
    }
    let python = |text, header, heir| check_segments("a.py", text, Some((header, heir)));
    python(
        "d = {\n    «\"a\": {|\"a\": {\n        \"n\": 1,\n    },\n    \"b\": {»\n        \"x\": 1,\n    },\n}\n",
        "\"a\": {",
        "\"b\": {",
    );
    python(
        "d = [\n    «A(|A(\n        x=3,\n    ),\n    B(»\n        x=1,\n    ),\n]\n",
        "A(",
        "B(",
    );
    check_segments(
        "a.go",
        "package a\n\nvar d = map[string]T{\n\t«\"a\": {|\"a\": {\n\t\tN: 1,\n\t},\n\t\"b\": {»\n\t\tX: 1,\n\t},\n}\n",
        Some(("\"a\": {", "\"b\": {")),
    );
    let html = |text, header, heir| check_segments("a.html", text, Some((header, heir)));
    html(
        "<div>\n«<div class=\"a\">|<div class=\"a\">\n<p>n</p>\n</div>\n<div class=\"b\">»\n<p>x</p>\n</div>\n</div>\n",
        "<div class=\"a\">",
        "<div class=\"b\">",
    );
    html(
        "<ul>«<li>x|<li>x</li>\n<li>n» <b>y</b></li></ul>\n",
        "<li>x <b>y</b></li></ul>",
        "<li>n <b>y</b></li></ul>",
    );
}

#[test]
fn what_a_quoted_header_opens_may_get_more() {
    let javascript = |text| check("a.js", Bytes, text, &[]);
    // Inside of it, or before it.
    javascript("const o = {\n«  a: {|  a: {\n    n: 1,»\n    x: 1,\n  },\n};\n");
    javascript("const o = {\n«  a: {|  b: {\n    n: 1,\n  },\n  a: {»\n    x: 1,\n  },\n};\n");
    javascript(
        "const o = {\n«  a: {|  a: {\n    b: {\n      n: 1,\n    },»\n    x: 1,\n  },\n};\n",
    );
    javascript("const o = {\n«  a: {|  b: {»\n    x: 1,\n  },\n};\n");
    javascript("f(«g|g, h»);\n");
    javascript("f(«g|g, h», i.j);\n");
    javascript("f(«g(|g(1), g(»x));\n");
    javascript("f(«g(x)|g(x), h(y)»);\n");
    javascript("f([«'a'|'a', 'b'»]);\n");
    javascript("if (a) {\n  x();\n«}|} else {\n  y();\n}»\n");
    javascript(
        "«if (a) {\n  x();\n}|if (a) {\n  x();\n} else if (b) {\n  y();\n}» else {\n  z();\n}\n",
    );
    javascript(
        "«try {|try {\n  try {\n    n();\n  } catch (e) {\n    m();\n  }»\n  x();\n} finally {\n  y();\n}\n",
    );
    let jsx = |text| check("a.jsx", Bytes, text, &[]);
    jsx("const a = <ul>«<li>x|<li>x</li>\n<li>y»</li></ul>;\n");
    jsx("const a = <p>«<b>|<b><i>n</i>»x</b></p>;\n");
    jsx("const a = <p>«<b>|<i>n</i><b>»x</b></p>;\n");
    let html = |text| check_segments("a.html", text, None);
    html(
        "<div>\n«<div class=\"a\">|<div class=\"b\">\n<p>n</p>\n</div>\n<div class=\"a\">»\n<p>x</p>\n</div>\n</div>\n",
    );
    html(
        "<div>\n«<div class=\"a\">|<div class=\"a\">\n<div class=\"b\">\n<p>n</p>\n</div>»\n<p>x</p>\n</div>\n</div>\n",
    );
    html(
        "<div>\n«<div class=\"a\">|<div class=\"a\">\n<div class=\"b\">»\n<p>x</p>\n«</div>|</div>\n</div>»\n</div>\n",
    );
    html("<ul>«<li>x|<li>x</li>\n<li>n»</li></ul>\n");
    html("<ul>«<li>x</li>|<li>x</li>\n<li>n</li>»\n<li>y</li></ul>\n");
    let python = |text| check("a.py", Bytes, text, &[]);
    python("d = {\n    «\"a\": {|\"a\": {\n        \"n\": 1,»\n        \"x\": 1,\n    },\n}\n");
    python("d = [\n    «A(|B(\n        x=3,\n    ),\n    A(»\n        x=1,\n    ),\n]\n");
    python("f(«a|a, b», c=1)\n");
    python("def f(«a|a, b»: int): pass\n");
}

/// Holds an edit by bytes to whether an element beside it would be one with another.
#[track_caller]
fn check_joined(path: &str, text: &str, expected: bool) {
    let (edit, old, new) = documents(path, Bytes, text);
    let found = super::check(&edit, &old, &new);
    assert_eq!(!found.is_empty(), expected, "{text}\n{found:#?}");
}

#[test]
fn elements_that_are_added_without_their_comma() {
    for (path, text) in [
        (
            "a.py",
            "C = [\n    (\"a\", \"A\"),\n«|    (\"c\", \"C\")\n»    (\"b\", \"B\"),\n]\n",
        ),
        (
            "a.py",
            "C = [\n«    (\"a\", \"A\"),\n|    (\"a\", \"A\"),\n    (\"c\", \"C\")\n»    (\"b\", \"B\"),\n]\n",
        ),
        (
            "a.py",
            "C = [\n«|    (\"c\", \"C\")\n»    (\"b\", \"B\"),\n]\n",
        ),
        (
            "a.py",
            "C = [\n    a,«|\n    path(\"b/\", b)»\n    # more\n    *extra,\n]\n",
        ),
        ("a.py", "f(\n    a,\n«|    Q(b=1)\n»    -1,\n)\n"),
        (
            "a.js",
            "x = [\n  a(),«|\n  vue()»\n  [\"babel\", { x: 1 }],\n];\n",
        ),
        (
            "a.js",
            "x = [\n  a(),\n  «|vue()\n  »[\"babel\", { x: 1 }],\n];\n",
        ),
        (
            "a.js",
            "x = [\n  «a(),|a(),\n  vue()»\n  [\"babel\", { x: 1 }],\n];\n",
        ),
        ("a.js", "test.each([[1, 2], «|[9, 9] »[3, 4]])(f);\n"),
        (
            "a.tf",
            "locals {\n  x = [\n    local.a«,|» # one\n    [\"b\"],\n  ]\n}\n",
        ),
        (
            "a.tf",
            "locals {\n  x = concat(\n    var.a«,|»\n    [\"b\"],\n  )\n}\n",
        ),
        (
            "a.php",
            "<?php\nclass A {\n    public $m = [\n        'a'«,|» // who\n        ['b'],\n    ];\n}\n",
        ),
        // What was below goes, in another operation.
        (
            "a.py",
            "C = [\n    «\"a\",|\"A\"»\n«    \"b\",\n|»    \"c\",\n]\n",
        ),
        (
            "a.rs",
            "fn f() {\n    let x = [\n        «1,|9»\n«        2,\n|»        -3,\n    ];\n}\n",
        ),
        // A comment that becomes an element, as a whole or by its sign.
        (
            "a.py",
            "C = [\n    (\"a\", 1),\n    «# (\"c\", 3)|(\"c\", 3)»\n    (\"b\", 2),\n]\n",
        ),
        (
            "a.py",
            "C = [\n    (\"a\", 1),\n    «# |»(\"c\", 3)\n    (\"b\", 2),\n]\n",
        ),
        ("a.js", "x = [\n  [1, 2],\n  «// |»[9]\n  [3, 4],\n];\n"),
        (
            "a.rs",
            "fn f() {\n    let x = [\n        1,\n        «// 2|2»\n        -3,\n    ];\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    let w = [\n        (1, 2),\n«|        (5, 6)\n»        (3, 4),\n    ];\n}\n",
        ),
        (
            "A.java",
            "class A {\n    int[] x = {\n        a,\n«|        c\n»        -1,\n    };\n}\n",
        ),
        (
            "a.py",
            "C = {\n«    \"n\": \"x\",\n|    \"n\": \"y\"\n»    **BASE,\n}\n",
        ),
        ("a.py", "C = {«\"n\": 1, |\"n\": 2 »**BASE}\n"),
        (
            "a.py",
            "C = {\n    \"n\": \"x\",\n«|    \"m\": 1\n»    **BASE,\n}\n",
        ),
        (
            "a.py",
            "def f(x, *,\n      «b: int = 2,\n|b: int = 3\n»      **kw):\n    pass\n",
        ),
        (
            "a.py",
            "def f(\n    «b=2,\n|b=3\n»    *args,\n):\n    pass\n",
        ),
        (
            "a.rs",
            "fn f() {\n    let a = Foo {\n«        a: 1,\n|        a: 2\n»        ..Default::default()\n    };\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    foo(\n«        x,\n|        z\n»        &y,\n    );\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    v.fold(\n«        0,\n|        1\n»        |a, b| a + b,\n    );\n}\n",
        ),
    ] {
        check_joined(path, text, true);
    }
    for (path, text) in [
        (
            "a.py",
            "C = [\n    (\"a\", \"A\"),\n«|    (\"c\", \"C\"),\n»    (\"b\", \"B\"),\n]\n",
        ),
        ("a.py", "C = [\n    a,\n    «|b\n    + »(c),\n]\n"),
        ("a.py", "C = [\n    a,\n    «|not\n    »(c),\n]\n"),
        ("a.py", "C = [\n    a,\n    «|f»(c),\n]\n"),
        ("a.py", "C = [\n    a,\n    «|x »-c,\n]\n"),
        ("a.py", "C = [\n    a,\n    «|\"one \"\n    »\"two\",\n]\n"),
        ("a.py", "C = [\n    a,\n    «|# more\n    »(c),\n]\n"),
        ("a.py", "C = [\n    a\n    «|+ b\n    »- c,\n]\n"),
        ("a.py", "def f(a, «b=1, |»**kw): pass\n"),
        ("a.py", "C = {«\"n\": 1|\"n\": 2», **BASE}\n"),
        ("a.py", "C = {\"n\": a «|** b», **BASE}\n"),
        ("a.js", "f(a, «|await »(b));\n"),
        ("a.js", "f(a, «|g»(b, c));\n"),
        ("a.ts", "let x: (\n  | A\n«|  | B\n»  | C\n)[];\n"),
        (
            "a.rs",
            "fn f() {\n    let w = [\n        (1, 2),\n«|        #[cfg(feature = \"a\")]\n»        (3, 4),\n    ];\n}\n",
        ),
        ("a.rs", "fn f() {\n    foo(x, «|a »& y);\n}\n"),
        (
            "a.rs",
            "fn f() {\n    m! {\n«|        if a { b }\n»        *p = (1, 2);\n    }\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    m! {\n        a => 1,\n«|        b => { 2 }\n»        &c => 3,\n    }\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    foo(\n        x\n«|            | b\n»            | c,\n    );\n}\n",
        ),
        ("A.java", "class A { int x = f(a, «|(int) »(b)); }\n"),
        // A comment that stays one, and one that comes with its comma.
        (
            "a.py",
            "C = [\n    (\"a\", 1),\n    «# c|# d»\n    (\"b\", 2),\n]\n",
        ),
        (
            "a.py",
            "C = [\n    (\"a\", 1),\n    «# |»(\"c\", 3),\n    (\"b\", 2),\n]\n",
        ),
        (
            "a.py",
            "C = [\n    (\"a\", 1),\n    «# c\n|»    (\"b\", 2),\n]\n",
        ),
    ] {
        check_joined(path, text, false);
    }
}

#[test]
fn what_is_quoted_in_a_definition_of_python_stays_in_it() {
    let check = |text: &str, expected: &[&str]| {
        let (edit, old, new) = documents("a.py", Bytes, text);
        let found = super::check(&edit, &old, &new);
        let quoted: Vec<&str> = found.iter().map(|it| quoted(&it.message)).collect();
        assert_eq!(quoted, expected, "{text}\n{found:#?}");
    };
    let class = "class A:\n    def k(self):\n        pass\n\n";
    let method = "    def m(self):\n        return 1\n";
    check(
        &format!("{class}«{method}|def m(self):\n        return 2\n»"),
        &["def m(self):"],
    );
    check(
        &format!("{class}«{method}|# Why.\ndef m(self, x):\n    return 1\n»"),
        &["def m(self):"],
    );
    check("def f():\n    a()\n«    b()|b(2)»\n", &["b()"]);
    check(
        "def f():\n    if a():\n        c()\n«        b()|b(2)»\n",
        &["b()"],
    );
    check("class A:\n    x = 1\n«    y = 2\n|y = 3\n»", &["y = 2"]);
    // What is moved, or is another thing, or has some indentation.
    check(
        &format!("{class}«{method}|def m(self):\n    return 1\n»"),
        &[],
    );
    check(
        &format!("{class}«{method}|def other(x):\n    return 2\n»"),
        &[],
    );
    check(
        "def f():\n    if a():\n        c()\n«        b()|    b(2)»\n",
        &[],
    );
    check("for a in b:\n    c()\n«    print(a)\n|print(a, 1)\n»", &[]);
    check("def f():\n    a()\n    «b()|b(2)»\n", &[]);
    check("def f():\n    a = \"\"\"\n«    b\n|b c\n»    \"\"\"\n", &[]);
    check(
        "def f():\n«    a()\n\n\ndef g():\n    b()\n|    c()\n\n\ndef g():\n    d()\n»",
        &[],
    );
}

#[test]
fn a_key_of_yaml_is_not_the_value_of_an_empty_neighbour() {
    let check = |text: &str, expected: &[&str]| {
        let (edit, old, new) = documents("a.yml", Bytes, text);
        let found = super::check(&edit, &old, &new);
        let quoted: Vec<&str> = found.iter().map(|it| quoted(&it.message)).collect();
        assert_eq!(quoted, expected, "{text}\n{found:#?}");
    };
    let logs = "«  logs:\n    driver: x\n|    logs:\n      driver: y\n»";
    check(&format!("v:\n  data:\n{logs}  tmp:\n"), &["logs:…"]);
    check(&format!("v:\n  data:\n  # Why.\n{logs}"), &["logs:…"]);
    check(
        "on:\n  push:\n«  pull_request:\n|    pull_request:\n»",
        &["pull_request:"],
    );
    // The neighbour is quoted, or the key is another, or was there already.
    check("on:\n«  push:\n  tags:\n|  push:\n    tags:\n»", &[]);
    check("on:\n  push:\n«  tags:\n|    branches: [a]\n»", &[]);
    check("on:\n  push:\n«    tags:\n|    tags: [b]\n»", &[]);
    check("on:\n  push:\n«|    tags: [b]\n»  release:\n", &[]);
}

#[test]
fn what_remains_of_a_loop_of_python_is_not_for_its_end() {
    let check = |text: &str, expected: &[&str]| check("a.py", Bytes, text, expected);
    for header in ["for k in v:", "while k:", "if k:"] {
        check(
            &format!("{header}\n«    a(k)\n|    a(k)\nelse:\n    w()\n»    b(k)\n"),
            &["b(k)"],
        );
        check(
            &format!("{header}\n«    a(k)\n    b(k)\n|    a(k)\nelse:\n    w()\n»"),
            &[],
        );
    }
    check(
        "«try|for k in v»:\n    a()\n    b()\n"
            .replace("try", "while k")
            .as_str(),
        &[],
    );
    check("for k in v:\n«    a(k)\n|    c(k)\n»    b(k)\n", &[]);
}

/// Returns what is reported of the edit of a file called `name`: the first name that each message quotes, and the last.
fn heirs(name: &str, text: &str) -> Vec<(String, String)> {
    let (edit, old, new) = documents(name, Bytes, text);
    let found = super::check(&edit, &old, &new);
    let names = |message: &str| {
        let parts: Vec<&str> = message.split('`').collect();
        let last = parts.len().saturating_sub(2);
        (parts[1].to_owned(), parts[last].to_owned())
    };
    found.iter().map(|it| names(&it.message)).collect()
}

#[test]
fn what_is_below_quoted_keys_stays_in_what_holds_it() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = heirs("a.yml", text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    // Two keys are quoted, and the first loses its depth.
    check(
        "on: p\njobs:\n«  docs:\n    runs-on: x\n    steps:\n|docs:\n    runs-on: y\n    steps:\n»      - uses: a\n",
        &[("- uses: a", "- uses: a")],
    );
    check(
        "spec:\n«  template:\n    spec:\n|template:\n    spec:\n»      containers:\n        - name: a\n",
        &[("containers:…", "containers:…")],
    );
    // The second one leaves the first.
    check(
        "t:\n«  strategy:\n    fail: a\n    matrix:\n|  strategy:\n    fail: b\n  matrix:\n»      os: [a]\n",
        &[("strategy:", "matrix:")],
    );
    check(
        "«jobs:\n  t:\n|jobs:\n    t:\n»    runs-on: x\n",
        &[("t:", "jobs:")],
    );
    // The last one is forgotten.
    check(
        "web:\n«  ports:\n    - a\n  volumes:\n|  ports:\n    - b\n»    - c\n    - d\n",
        &[("volumes:", "ports:")],
    );
    check(
        "s:\n  - uses: a\n«    with:\n      c: r\n    env:\n|    with:\n      c: s\n»      T: 1\n",
        &[("env:", "with:")],
    );
    check(
        "«a:\n  b: 1\n# c\nd:\n|a:\n  b: 2\n»  e: 1\n---\na:\n  e: 1\n",
        &[("d:", "a:")],
    );

    // One of two that hold it is forgotten, or made a comment, or wrapped without it.
    check(
        "«on:\n  push:\n|on:\n»    branches: [a]\n",
        &[("push:", "on:")],
    );
    check(
        "«spec:\n  template:\n|# spec:\n  template:\n»    metadata: a\n",
        &[("template:", "template:")],
    );
    check(
        "a: 1\n«s:\n|app:\n  s:\n»  b: 1\n  c: 2\n",
        &[("s:", "app:")],
    );
    // An item of a list is.
    check(
        "s:\n«  - uses: a/checkout@v3\n  - uses: a/cache@v3\n|  - uses: a/checkout@v4\n»    with:\n      key: x\n",
        &[("- uses: a/cache@v3", "- uses: a/checkout@v4")],
    );
    check(
        "«- hosts: web\n  become: true\n- hosts: db\n|- hosts: web\n  become: false\n»  roles:\n    - pg\n",
        &[("- hosts: db", "- hosts: web")],
    );

    // What is below a key stays in it, whatever that is called, and in whatever new key that is.
    check(
        "s:\n«  - uses: a/checkout@v3\n  - uses: a/cache@v3\n|  - uses: a/checkout@v4\n  - uses: a/store@v3\n»    with:\n      key: x\n",
        &[],
    );
    check(
        "s:\n«  - uses: a/cache@v3\n|  - uses: a/store@v3\n»    with:\n      key: x\n",
        &[],
    );
    check("«env:\n|with:\n  env: x\n»  b: 1\n", &[("env:", "with:")]);
    check(
        "s:\n«  a:\n    b: 1\n    c:\n|  z:\n    b: 2\n    y:\n»      d: 1\n",
        &[],
    );
    check(
        "s:\n«  - a: 1\n    env:\n|  - a: 2\n    with:\n»      d: 1\n  - a: 1\n    with:\n      e: 1\n",
        &[],
    );
    check("«a:\n  b:\n|x:\n  a:\n»    c: 1\n", &[]);
    check("a: 1\n«b:\n|c:\n  - d\nb:\n»  e: 1\n", &[]);
    check(
        "s:\n«  - a: 1\n    c:\n|  - z: 0\n  - a: 1\n    c:\n»      d: 1\n",
        &[],
    );
    check(
        "t:\n«  a:\n    b: 1\n|  b:\n    b: 1\n»  c:\n    d: 1\n",
        &[],
    );
}

#[test]
fn what_remains_of_a_text_stays_in_it() {
    let check = |name: &str, text: &str, expected: &[(&str, &str)]| {
        let found = heirs(name, text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    let yaml = |text: &str, expected: &[(&str, &str)]| check("a.yml", text, expected);
    // The last line of a quotation is forgotten, and the first text is not even named.
    yaml(
        "d:\n  a: >\n«    x\n\n  b: >\n|    x now\n\n»    y\n",
        &[("b: >", "a: >")],
    );
    yaml(
        "d:\n«  a: >\n    x\n\n  b: >\n|  a: >\n    x now\n»    y\n",
        &[("b: >", "a: >")],
    );
    yaml(
        "d:\n«  a.sh: >\n    x\n\n  b.sh: >\n|  c.sh: >\n    x\n\n»    y\n",
        &[("b.sh: >", "c.sh: >")],
    );
    yaml("d:\n  a: >\n    x\n«  b: >\n|»    y\n", &[("b: >", "a: >")]);
    yaml("- >\n  x\n«  y\n- >\n|  z\n»  w\n", &[("- >", "- >")]);
    yaml("«- >\n  x y\n- >\n|- >\n  x z\n»  w\n", &[("- >", "- >")]);
    yaml(
        "«- a: >-\n    x\n  b: >-\n|- a: >-\n    x and y\n»    z\n",
        &[("b: >-", "a: >-")],
    );
    yaml("a:\n  x\n«  y\nb:\n|  z\n»  w\n", &[("b:", "a:")]);
    yaml(
        "a: \"x\n«  y\"\nb: \"z\n|  y\n»  w\"\n",
        &[("b: \"z", "a: \"x")],
    );
    // A key in the middle would take the rest.
    yaml("«b: >\n  x\n|b: >\n  x\nc: >\n»  y\n", &[("b: >", "c: >")]);
    check(
        "a.toml",
        "x = \"\"\"\na\n«b\n\"\"\"\ny = \"\"\"\n|c\n»d\n\"\"\"\n",
        &[("y = \"\"\"", "x = \"\"\"")],
    );

    // What is put in the middle of a text does not get what is below it, but for a header that is put there alone.
    yaml(
        "d:\n  a: >\n«    x\n|    x\n  n: >\n    y\n»    z\n",
        &[("a: >", "n: >")],
    );
    yaml(
        "- run: >\n    x\n«|- name: N\n  run: >\n    y\n»    z\n",
        &[("run: >", "run: >")],
    );
    yaml("d:\n  a: >\n«    x\n|    x\n  n: >\n»    z\n", &[]);

    // A text may get another name, another sign, another neighbour, and fewer of them.
    yaml("a: >\n  x\n«  y\nb: >\n|  z\nc: >\n»  w\n", &[]);
    yaml("a: >\n  x\n«  y\nb: >\n|  z\nb: >-\n»  w\n", &[]);
    yaml("«a: >\n  x\nb: >\n  y\n|n: 1\nb: >\n  y2\n»  z\n", &[]);
    yaml("«- >\n  x\n- >\n|- >\n»  y\n  z\n", &[]);
    yaml(
        "- run: >\n    x\n«- run: >\n|- name: N\n  run: >\n»    y\n",
        &[],
    );
    yaml("«b: \"x\n|c: \"x\n»  y\"\n", &[]);
    yaml("«b: >\n  - x\n|b:\n»  - y\n", &[]);
    // What ends a text in quotes is like its brace: who gives it may begin another.
    check(
        "a.toml",
        "«x = \"\"\"\na\n|x = \"\"\"\na\n\"\"\"\ny = \"\"\"\nb\n»\"\"\"\n",
        &[],
    );
}

#[test]
fn front_matter_is_compared_as_the_files_of_its_language_are() {
    let check = |text: &str, expected: usize| {
        let (edit, old, new) = documents("a.md", Bytes, text);
        let found = super::check(&edit, &old, &new);
        assert_eq!(found.len(), expected, "{text}: {found:?}");
    };
    let body = "---\n\n# T\n";
    let yaml = |edit: &str| format!("---\n{edit}{body}");
    check(&yaml("«title: Foo\ntags:\n|title: Bar\n»  - a\n  - b\n"), 1);
    check(
        &yaml("d: >\n  Long\n«  text.\nauthors:\n|  text.\n»  - n: X\n"),
        1,
    );
    check(&yaml("a: >\n«  x\n|  x\nn: >\n  y\n»  z\n"), 1);
    check(
        "+++\n«t = \"a\"\n\n[p]\n|t = \"b\"\n\n»d = true\n+++\n\n# T\n",
        1,
    );
    check(
        &yaml("«title: Foo\ntags:\n|title: Bar\ntags:\n»  - a\n  - b\n"),
        0,
    );
    check(&yaml("a: 1\n«|b: 2\n»c: 3\n"), 0);
    // A line `---` too many, or one too few.
    let below = "description: b\ntags:\n  - x\n";
    check(&yaml(&format!("«title: a\n|title: b\n---\n»{below}")), 1);
    check(
        &format!("«---\ntitle: a\n|---\ntitle: b\n---\n»{below}{body}"),
        1,
    );
    check(&format!("«---\ntitle: a\n|title: b\n»{below}{body}"), 1);
    check(
        "+++\n«t = 1\n|t = 2\n+++\n»d = 3\nl = [\n  4,\n]\n+++\n\n# T\n",
        1,
    );
    check(
        &format!("«---\ntitle: a\n|---\ntitle: b\n»{below}{body}"),
        0,
    );
    // The end of it may be taken along.
    check(
        "---\na: >\n  x\n«b: 1\n---\n|b: 2\n---\n\nNew.\n»\n# T\n",
        0,
    );
    check("---\na: 1\n«b: 2\n|b: 2\n---\n\nText.\n\n»---\n\n# T\n", 0);
}

#[test]
fn of_two_first_lines_that_are_the_same_one_is_given_back() {
    let check = |name: &str, text: &str, expected: &[(&str, &str)]| {
        let found = heirs(name, text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    let both = [("with a(B):", "with a(B):")];
    check(
        "a.py",
        "«with a(B):\n    f(1)\nwith a(B):\n|with a(B):\n    f(-1)\n»    g(2)\n",
        &both,
    );
    check(
        "a.go",
        "package a\n\nfunc f() {\n«\tif x {\n\t\ty()\n\t}\n\tz()\n\tif x {\n|\tif x {\n\t\tw()\n»\t\tu()\n\t}\n}\n",
        &[("if x {", "if x {")],
    );
    check(
        "a.html",
        "«<div class=\"r\">\n<p>1</p>\n</div>\n<div class=\"r\">\n|<div class=\"r\">\n<p>9</p>\n»<p>2</p>\n</div>\n",
        &[("<div class=\"r\">", "<div class=\"r\">")],
    );
    check(
        "a.yml",
        "l:\n«  - !Sub >\n    a\n    b\n  - !Sub >\n|  - !Sub >\n    a\n    x\n»    c\n",
        &[("- !Sub >", "- !Sub >")],
    );
    check(
        "a.yml",
        "l:\n«  - >\n    a\n    b\n  - >\n    a\n|  - >\n    a\n    x\n»    c\n",
        &[("- >", "- >")],
    );
    // The two are joined, or the first one goes.
    check(
        "a.py",
        "«with a(B):\n    f(1)\nwith a(B):\n|with a(B):\n    f(1)\n»    g(2)\n",
        &[],
    );
    check(
        "a.py",
        "«with a(B):\n    f(1)\nwith a(B):\n|with a(B):\n»    g(2)\n",
        &[],
    );
    check(
        "a.yml",
        "l:\n«  - >\n    a\n  - >\n|  - >\n»    c\n    d\n",
        &[],
    );
}

#[test]
fn what_a_quotation_ends_with_may_end_the_content() {
    let check = |name: &str, text: &str, expected: &[(&str, &str)]| {
        let found = heirs(name, text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    check(
        "a.yml",
        "s:\n«  - uses: a\n  - name: T\n    run: >\n|  - uses: a\n  - name: L\n    run: >\n      l\n  - name: T\n    run: >\n»      b\n",
        &[],
    );
    check(
        "a.yml",
        "«s:\n  web:\n    image: a\n    ports:\n|s:\n  api:\n    image: b\n    ports:\n      - 1\n  web:\n    image: a\n    ports:\n»      - 2\n",
        &[],
    );
    // The last line alone is not enough: the item is another one.
    check(
        "a.yml",
        "s:\n«  - name: T\n    if: x\n    run: >\n|  - name: T\n    if: x\n    run: >\n      l\n  - name: L\n    run: >\n»      b\n",
        &[("- name: T", "- name: L")],
    );
    // A number is counted up for what is put above.
    check("a.md", "1. One\n«2. Two\n|2. New\n3. Two\n»   more\n", &[]);
    check(
        "a.md",
        "# T\n\n«## 2. Two\n|## 2. New\n\nn\n\n## 3. Two\n»\nb\n",
        &[],
    );
}

#[test]
fn what_remains_of_a_table_stays_in_it() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = heirs("a.toml", text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    let project = "«[project]\nname = \"x\"\n|[project]\nname = \"x\"\n\n";
    check(
        &format!("{project}[project.scripts]\nx = \"y\"\n»version = \"1\"\n"),
        &[("[project]", "[project.scripts]")],
    );
    check(
        "[a]\nb = 1\n\n«[d]\n|[d]\n[d.e]\nf = 1\n»g = 1\nh = {i = 1}\n",
        &[("[d]", "[d.e]")],
    );
    check(
        "«[d]\na = 1\n\n[dev.d]\n|[d]\na = 2\n»b = 1\n",
        &[("[dev.d]", "[d]")],
    );
    check(
        "«[[p]]\na = 1\n\n[q]\n|[[p]]\na = 2\n»b = 1\n",
        &[("[q]", "[[p]]")],
    );

    check(
        "«[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n|[[bin]]\nname = \"a\"\npath = \"c\"\n»doc = false\n",
        &[("[[bin]]", "[[bin]]")],
    );

    // A table may come between two of one group.
    let group = "[tool.a]\nx = 1\n\n[tool.b]\n";
    check(
        &format!("{group}«y = 1\n|y = 1\n\n[dev]\nz = 1\n»\n[tool.c]\nw = 1\n"),
        &[],
    );
    check(
        &format!("{group}y = 1\n\n«[tool.c]\n|[dev]\nz = 1\n\n[tool.c]\n»w = 1\n"),
        &[],
    );
    check(
        &format!("{group}«y = 1\n\n[tool.c]\n|y = 2\n\n[dev]\nz = 1\n\n[tool.c]\n»w = 1\n"),
        &[],
    );
    // A header may say something else, and come with others above it.
    check("[tool.a]\nx = 1\n\n«[tool.b]\n|[b]\n»c = 1\n", &[]);
    check(
        "[project]\nx = 1\n\n«[tool.b.d]\n|[project.d]\n»c = 1\n",
        &[],
    );
    check("[a]\nx = 1\n\n«[b]\n|[a.c]\ny = 1\n\n[b]\n»c = 1\n", &[]);
    check("«[[p]]\n|[[p]]\nz = 1\n\n[[p]]\n»c = 1\n", &[]);
    // Tables are beside one another, whatever holds them.
    check(
        "«[t.a]\nx = 1\n\n[t.a.s]\ny = 2\n\n[t.b]\n|[t.q]\nx = 1\n\n[t.q.s]\ny = 2\n»z = 3\n",
        &[("[t.b]", "[t.q.s]")],
    );
    check("«[a]\n|[b]\n»c = 1\n\n[a.d]\ne = 1\n", &[]);
    check(
        "[a]\nb = [\n«  \"c\",\n|  \"d\",\n»]\nd.e = 1\nd.f = 2\n",
        &[],
    );
}

#[test]
fn a_section_is_not_of_another_that_was_quoted_above_it() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = heirs("a.md", text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    let below = "text\n\n### Sub\n\nx\n";
    check(
        &format!("# T\n\n«## A\n\ntext a\n\n## B\n|## A\n\ntext c\n»\n{below}"),
        &[("## B", "## A")],
    );
    check(
        &format!("# T\n\n«## A\n\ntext a\n\n## B\n|## A\n\ntext c\n\n## C\n»\n{below}"),
        &[],
    );
    check(
        "# T\n\n## A\n\na\n\n«### B\n|## B\n»\ntext\n\n#### Sub\n\nx\n",
        &[],
    );
    check(
        &format!("# T\n\n«## A\n\na\n\n## B\n|## B\n\na\n\n## C\n»\n{below}"),
        &[("## B", "## C")],
    );
}

#[test]
fn what_is_below_a_quoted_key_of_json_stays_in_it() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = heirs("a.json", text);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&a[..], &b[..])).collect();
        assert_eq!(found, expected, "{text}");
    };
    check(
        "{\n«\"d\": {\n\"a\": 1\n},\n\"dev\": {\n|\"d\": {\n\"a\": 2,\n»\"b\": 3\n}\n}\n",
        &[("\"dev\": {", "\"d\": {")],
    );
    check(
        "{\n«\"t\": [\n\"a\"\n],\n\"l\": [\n|\"t\": [\n\"a\", \"c\",\n»\"b\"\n]\n}\n",
        &[("\"l\": [", "\"t\": [")],
    );
    check("{\n«\"d\": {\n|\"e\": {\n»\"b\": 3\n}\n}\n", &[]);
    check("{\n«\"d\": {\n|\"n\": 1,\n\"d\": {\n»\"b\": 3\n}\n}\n", &[]);
}

#[test]
fn blocks_that_are_joined_by_a_slip() {
    let slip = |path: &str, text: &str| check_joined(path, text, true);
    let meant = |path: &str, text: &str| check_joined(path, text, false);

    // One more line in the first, and the first line of the next forgotten.
    slip(
        "a.js",
        "d(() => {\n«  it('a', () => {\n    a(1);\n  });\n  it('b', () => {\n|  it('a', () => {\n    a(1);\n    a(2);\n»    b(1);\n    c(1);\n  });\n});\n",
    );
    slip(
        "a.rs",
        "fn f() {\n«    if x {\n        a(1);\n    }\n    if y {\n|    if x {\n        log();\n        a(1);\n»        b(1);\n    }\n}\n",
    );
    slip(
        "a.go",
        "package a\n\nfunc f() {\n«\tt.Run(\"a\", func() {\n\t\ta(1)\n\t})\n\tt.Run(\"b\", func() {\n|\tt.Run(\"a\", func() {\n\t\ta(1)\n\t\ta(2)\n»\t\tb(1)\n\t})\n}\n",
    );
    // From the middle of the first on.
    slip(
        "a.js",
        "d(() => {\n  it('a', () => {\n«    a(1);\n  });\n  it('b', () => {\n|    a(1);\n    a(2);\n»    b(1);\n  });\n});\n",
    );
    slip(
        "a.py",
        "if x:\n«    a(1)\nfor k in y:\n|    a(2)\n»    b(k)\n",
    );

    // Of two kinds.
    slip(
        "a.py",
        "«if x:\n    a(1)\nfor k in y:\n|if x:\n    a(2)\n»    b(k)\n    c(k)\n",
    );
    slip(
        "a.py",
        "«if x:\n    a(1)\nfor k in y:\n|if x and z:\n    a(1)\n»    b(k)\n",
    );
    slip(
        "a.js",
        "«if (x) {\n  a(1);\n}\nfor (const k of y) {\n|if (x) {\n  a(1);\n  a(2);\n»  b(k);\n}\n",
    );

    // The same first lines, of which the first is changed.
    slip(
        "a.py",
        "«with r(V):\n    f(1)\nwith r(V):\n|with r(V) as cm:\n    f(1)\n»    g(2)\n",
    );
    slip(
        "a.html",
        "«<div class=\"row\">\n  <p>1</p>\n</div>\n<div class=\"row\">\n|<div class=\"row first\">\n  <p>1</p>\n»  <p>2</p>\n</div>\n",
    );

    // Another block has what follows, or the first line of both is one.
    meant(
        "a.js",
        "«if (x) {\n  a(1);\n}\nif (y) {\n|if (x) {\n  a(1);\n} else { // y\n»  b(1);\n}\n",
    );
    meant(
        "a.py",
        "«with a:\n    f(1)\nwith b:\n|with a, b:\n    f(2)\n»    g(2)\n",
    );
    // The first goes, and the second is changed.
    meant(
        "a.py",
        "«if x:\n    a(1)\nfor k in y:\n|for k in z:\n    log(k)\n»    b(k)\n",
    );
    meant(
        "a.js",
        "d(() => {\n«  it('a', () => {\n    a(1);\n  });\n  it('b', () => {\n|  it('b', () => {\n    b(0);\n»    b(1);\n  });\n});\n",
    );
}

#[test]
fn a_block_may_become_a_clause_of_the_statement_above_it() {
    let meant = |path: &str, text: &str| check_joined(path, text, false);
    meant(
        "a.py",
        "if a:\n    x()\n«if b:|elif b:»\n    y()\n    z()\n",
    );
    meant("a.py", "if a:\n    x()\n«if b:|else:»\n    y()\n    z()\n");
    meant(
        "a.py",
        "if a:\n    x()\n«elif b:|if b:»\n    y()\n    z()\n",
    );
    meant(
        "a.py",
        "def f():\n    if a:\n        x()\n    «else:|if b:»\n        y()\n        z()\n    w()\n",
    );
    meant(
        "a.py",
        "«if a:\n    x()\nif b:\n|if a:\n    w()\nelse:\n»    y()\n    z()\n",
    );
    for path in ["a.js", "a.ts", "A.java", "a.rs", "a.go"] {
        let around = match path {
            "A.java" => ("class A { void f() {\n", "} }\n"),
            "a.go" => ("package a\nfunc f() {\n", "}\n"),
            "a.rs" => ("fn f() {\n", "}\n"),
            _ => ("function f() {\n", "}\n"),
        };
        let end = if path == "a.go" { "" } else { ";" };
        for edit in [
            "«}\nif (b) {|} else if (b) {»",
            "«}\nif (b) {|} else {»",
            "«} else if (b) {|}\nif (b) {»",
            "«} else {|}\nif (b) {»",
        ] {
            let text = format!(
                "{}if (a) {{\nx(){end}\n{edit}\ny(){end}\nz(){end}\n}}\nw(){end}\n{}",
                around.0, around.1
            );
            meant(path, &text);
        }
    }

    // With the line above it.
    meant(
        "a.py",
        "if x:\n«    r()\nelif y:\n|    r()\nif y:\n»    b(1)\n    c(1)\nw()\n",
    );
    meant(
        "a.js",
        "function f() {\n  if (x) {\n«    return 1;\n  } else if (y) {\n|    return 1;\n  }\n  if (y) {\n»    b(1);\n    c(1);\n  }\n}\n",
    );
    meant(
        "a.go",
        "package a\n\nfunc f() {\n\tif x {\n«\t\treturn\n\t} else if y {\n|\t\treturn\n\t}\n\tif y {\n»\t\tb(1)\n\t}\n}\n",
    );
    meant(
        "a.rs",
        "fn f() {\n    if x {\n«        return;\n    } else if y {\n|        return;\n    }\n    if y {\n»        b(1);\n        c(1);\n    }\n}\n",
    );
    // With the first line below it.
    meant(
        "a.py",
        "«if x:\n    a(1)\nif y:\n    b(1)\n|if x:\n    a(1)\nelif y:\n    b(1)\n»    c(1)\nw()\n",
    );
    meant(
        "a.go",
        "package a\n\nfunc f() {\n«\tif x {\n\t\ta(1)\n\t}\n\tif y {\n\t\tb(1)\n|\tif x {\n\t\ta(1)\n\t} else if y {\n\t\tb(1)\n»\t\tc(1)\n\t}\n}\n",
    );
    // One more clause, or one less, above the last.
    for path in ["a.js", "a.ts", "a.rs"] {
        let text = |edit: &str| {
            let head = if path == "a.rs" {
                "fn f() {"
            } else {
                "function f() {"
            };
            format!("{head}\nif (a) {{\n{edit}}} else {{\ny();\n}}\nw();\n}}\n")
        };
        meant(path, &text("x();\n«|} else if (b) {\nz();\n»"));
        meant(path, &text("«x();\n|x();\n} else if (b) {\nz();\n»"));
        meant(path, &text("x();\n«} else if (b) {\nz();\n|»"));
    }
    let go = |edit: &str| {
        format!("package a\n\nfunc f() {{\nif a {{\n{edit}}} else {{\ny()\n}}\nw()\n}}\n")
    };
    meant("a.go", &go("«x()\n|x()\n} else if b {\nz()\n»"));
    meant("a.go", &go("x()\n«} else if b {\nz()\n|»"));
    meant(
        "A.java",
        "class A { void f() {\nif (a) {\n«x();\n|x();\n} else if (b) {\nz();\n»} else {\ny();\n}\n} }\n",
    );

    // Not that of another statement.
    check_joined("a.js", "if (a)\n«x();|if (b) z();»\nelse\ny();\n", true);
    check_joined(
        "a.js",
        "«if (a)\n  x();|if (a)\n  if (b)\n    x();»\nelse\n  y();\n",
        true,
    );
    check_joined(
        "A.java",
        "class A { void f() {\n«if (a)\n  x();|if (a)\n  if (b)\n    x();»\nelse\n  y();\n} }\n",
        true,
    );
    meant(
        "a.js",
        "«if (a)\n  x();|if (z)\n  if (a)\n    x();»\nelse\n  y();\n",
    );
    check_joined(
        "a.js",
        "if (a) {\nx();\n«|}\nif (b) {\nz();\n»} else {\ny();\n}\n",
        true,
    );
    // What is no clause has nothing of the statement above.
    check_joined("a.js", "if (a)\n«x();\nif (b) {|if (b) {»\ny();\n}\n", true);
    // Nor is what follows in the clause by a slip.
    check_joined(
        "a.py",
        "if a:\n    x()\n«|elif b:\n    y()\n»    z()\n",
        true,
    );
}

#[test]
fn a_document_keeps_its_first_keys() {
    let check = |text: &str, expected: bool| check_joined("a.yaml", text, expected);
    // A text whose sign goes would be one line.
    check(
        "s:\n«  - run: |\n¦  - name: T\n    run:\n»      a\n      b\n",
        true,
    );
    check("data:\n«  a: |-\n    x\n¦  b:\n    x\n»    y\n", true);
    check("data:\n«  a: >\n|  b:\n»    x\n    y\n", false);
    check("data:\n«  a: |\n¦  b: >\n»    x\n    y\n", false);
    check("data:\n«  a: |\n¦  b:\n»    x\n", false);
    // The first of them may have no value.
    check("github:\n«patreon:\n|patreon: me\n»ko_fi:\n", false);
    check(
        "v:\n«kind: R\n|# Of what sort.\nkind: R\n»items: []\n",
        false,
    );
    check("v:\n«kind: R\n|  kind: R\n»items: []\n", true);
    let document = "metadata:\n  name: y\n";
    check(
        &format!("«v: 1\nkind: B\n|v: 2\nkind: B\n---\n»{document}"),
        true,
    );
    check(
        &format!("---\nv: 1\n---\n«v: 1\nkind: B\n|v: 2\nkind: B\n---\n»{document}"),
        true,
    );
    check(
        &format!("«---\nv: 1\nkind: B\n|---\nv: 2\nkind: B\n---\n»{document}"),
        true,
    );
    check(
        &format!("«v: 1\nkind: B\n|v: 2\nkind: B\n»{document}"),
        false,
    );
    check(
        &format!("«v: 1\nkind: B\n|v: 1\nkind: A\n---\nv: 1\nkind: B\n»{document}"),
        false,
    );
    check(
        &format!("«v: 1\nkind: B\n{document}|v: 2\nkind: A\n---\n{document}»---\nv: 3\n"),
        false,
    );
}

#[test]
fn the_last_line_of_a_quotation_may_stand_below_something_new() {
    let meant = |path: &str, text: &str| check_joined(path, text, false);
    meant(
        "a.ts",
        "const a = [\n  {\n«    x: 1,\n  },\n  {\n|    x: 1,\n  },\n  {\n    n: 2,\n  },\n  {\n»    y: 3,\n  },\n]\n",
    );
    meant(
        "a.py",
        "u = [\n    p(\n«        \"a\",\n    ),\n    p(\n|        \"a\",\n    ),\n    p(\n        \"c\",\n    ),\n    p(\n»        \"b\",\n    ),\n]\n",
    );
    meant(
        "a.js",
        "function f(user) {\n«  if (user.isAdmin) {\n|  if (!user) {\n    return;\n  }\n\n  if (user.role === 'x') {\n»    log();\n    a();\n  }\n}\n",
    );
    meant(
        "a.ts",
        "«export function get(a) {\n|export function get(a: string): string;\nexport function get(a: number): number;\nexport function get(a: any) {\n»  x();\n}\n",
    );
    meant(
        "a.rs",
        "fn f() {\n«    let v = match j::from(&b) {\n|    let d = &mut j::D::from(&b);\n    let v = match p::go(d) {\n»        a => b,\n    };\n}\n",
    );
    // To the letter, and all that follows would be in something else.
    check_joined(
        "a.js",
        "f(() => {\n«  if (a.b) {\n|  if (a.b) {\n    n();\n  }\n  if (c) {\n»    x();\n  }\n});\n",
        true,
    );
}

#[test]
fn the_last_call_of_a_chain_may_go() {
    let meant = |path: &str, text: &str| check_joined(path, text, false);
    meant(
        "a.rs",
        "fn f() -> R {\n    R::new()\n        .route(g(|| async { \"x\" }))\n        .layer(x)\n«        .boxed()\n|»}\n",
    );
    meant(
        "a.js",
        "f()\n  .a(() => {\n    x();\n  })\n«  .b()\n|»g();\n",
    );
    // What comes after it does not go on in it.
    check_joined(
        "a.js",
        "f()\n  .a(() => {\n    x();\n  })\n«  .b();\n|»(g || h)();\n",
        true,
    );
}

#[test]
fn the_first_line_of_a_clause_or_of_what_is_no_statement_is_not_forgotten() {
    let slip = |path: &str, text: &str| check_joined(path, text, true);
    let meant = |path: &str, text: &str| check_joined(path, text, false);

    // Clauses.
    slip(
        "a.py",
        "def f():\n«    if x:\n        a(1)\n    else:\n|    if x:\n        a(2)\n»        b(1)\n        c(1)\n",
    );
    slip(
        "a.py",
        "«if x:\n    a(1)\nelif y:\n    b(1)\n|if x:\n    a(2)\n    b(1)\n»    c(1)\nw()\n",
    );
    slip(
        "a.py",
        "«for k in x:\n    a(k)\nelse:\n|for k in x:\n    a(k + 1)\n»    b(1)\n",
    );
    slip(
        "a.js",
        "«if (x) {\n  a(1);\n} else if (y) {\n|if (x) {\n  a(1);\n  l(1);\n»  b(1);\n} else {\n  d(1);\n}\n",
    );
    slip(
        "a.go",
        "package a\n\nfunc f() {\n«\tif x {\n\t\ta(1)\n\t} else {\n|\tif x {\n\t\ta(2)\n»\t\tb(1)\n\t}\n}\n",
    );
    slip(
        "A.java",
        "class A {\n  void f() {\n«    try {\n      a(1);\n    } catch (E e) {\n|    try {\n      a(2);\n»      b(1);\n    } finally {\n      d(1);\n    }\n  }\n}\n",
    );
    slip(
        "a.rs",
        "fn f() {\n    if x {\n        a(1);\n«    } else if y {\n        b(1);\n    } else {\n|    } else if y {\n        b(2);\n»        c(1);\n    }\n}\n",
    );

    // What is no statement.
    slip(
        "a.tsx",
        "export const a = (\n  <div>\n«    <Card id=\"a\">\n      <p>a</p>\n    </Card>\n    <Card id=\"b\">\n|    <Card id=\"a\">\n      <p>aa</p>\n»      <p>b</p>\n    </Card>\n  </div>\n);\n",
    );
    slip(
        "a.jsx",
        "const a = (\n  <div>\n    <Card id=\"a\">\n«      <p>a</p>\n    </Card>\n    <Card id=\"b\">\n|      <p>a</p>\n      <p>n</p>\n»      <p>b</p>\n    </Card>\n  </div>\n);\n",
    );
    slip(
        "a.js",
        "const o = {\n«  onA() {\n    a(1);\n  },\n  onB() {\n|  onA() {\n    a(2);\n»    b(1);\n  },\n};\n",
    );
    slip(
        "a.js",
        "p\n«  .then(() => {\n    a(1);\n  })\n  .catch(() => {\n|  .then(() => {\n    a(2);\n»    b(1);\n  });\n",
    );
    slip(
        "a.py",
        "C = {\n«    \"dev\": {\n        \"port\": 1,\n    },\n    \"prod\": {\n|    \"dev\": {\n        \"port\": 2,\n»        \"ssl\": True,\n    },\n}\n",
    );
    slip(
        "a.go",
        "package a\n\nvar t = []T{\n\t{\n«\t\tin: 1,\n\t},\n\t{\n|\t\tin: 2,\n»\t\twant: 2,\n\t},\n}\n",
    );

    slip(
        "a.js",
        "const o = [{\n«  a: 1,\n}, {\n|  a: 2,\n»  b: 1,\n}]\n",
    );
    slip(
        "a.js",
        "«p.then(() => {\n  a(1);\n}).catch(() => {\n|p.then(() => {\n  a(2);\n»  b(1);\n});\n",
    );

    // The first was one line.
    slip(
        "a.py",
        "def f(x):\n«    if x: a(1)\n    else:\n|    if x:\n        a(1)\n        l(1)\n»        b(1)\n        c(1)\n",
    );
    slip(
        "a.js",
        "const c = {\n«  dev: { a: 1 },\n  prod: {\n|  dev: {\n    a: 2,\n»    b: 1,\n  },\n};\n",
    );
    slip(
        "a.tsx",
        "const c = (\n  <div>\n«    <Card id=\"a\" />\n    <Card id=\"b\">\n|    <Card id=\"a\">\n      <p>a</p>\n»      <p>b</p>\n    </Card>\n  </div>\n);\n",
    );

    // What is at the margin of a text, or ends a header, begins nothing.
    meant(
        "a.py",
        "def f(c):\n«    c.execute(\"\"\"\nSELECT a\n\"\"\")\n|    c.execute(QUERY)\n»    c.commit()\n",
    );
    meant(
        "a.go",
        "package a\n\nfunc f() {\n«\tdb.Exec(`\nselect 1\n`)\n|\tdb.Exec(query)\n»\tg()\n}\n",
    );
    meant(
        "a.rs",
        "fn f() {\n«    let v = vec![\n1, 2,\n];\n|    let v = w();\n»    h();\n}\n",
    );
    meant(
        "A.java",
        "class A {\n  void f() {\n«    a(1);\n//    if (b) {\n//    }\n|    a(1);\n    if (b) {\n    }\n»    d(1);\n  }\n}\n",
    );
    meant(
        "a.ts",
        "«export async function h(\n  e: E,\n): Promise<R> {\n|export async function h(e: E): Promise<Q> {\n»  const r = g(e);\n}\n",
    );
    meant(
        "a.go",
        "package a\n\nfunc f() {\n«\tif err := g(\n\t\ta,\n\t); err != nil {\n|\tif !ok(a) {\n»\t\tlog(1)\n\t}\n}\n",
    );

    // The clause goes with its arm, becomes another, or its condition goes to the first line.
    meant("a.py", "if x:\n    a(1)\n«else:\n    b(1)\n|»w()\n");
    meant(
        "a.py",
        "«if x:\n    a(1)\nelif y:\n|if x or y:\n»    b(1)\nw()\n",
    );
    meant(
        "a.js",
        "«if (x) {\n  a(1);\n} else if (y) {\n|if (x) {\n  a(1);\n}\nif (y) {\n»  b(1);\n}\n",
    );
    meant(
        "a.py",
        "C = {\n    \"a\": {\n        \"x\": 1,\n«    },\n    \"b\": {\n|»        \"y\": 1,\n    },\n}\n",
    );
    meant(
        "a.go",
        "package a\n\nvar t = []T{\n\t{\n«\t\tin: 1,\n\t},\n\t{\n|\t\tin: 1,\n\t},\n\t{\n\t\tin: 3,\n\t},\n\t{\n»\t\twant: 2,\n\t},\n}\n",
    );
    meant(
        "a.go",
        "package a\n\nvar t = []T{\n«\t{\n\t\tin: 1,\n\t},\n\t{\n|\t{\n»\t\twant: 2,\n\t},\n}\n",
    );
    meant(
        "a.tsx",
        "const a = (\n  <div>\n«    <Card id=\"a\">\n      <p>a</p>\n    </Card>\n    <Card id=\"b\">\n|    <Card id=\"b\" big>\n      <h2>b</h2>\n»      <p>b</p>\n    </Card>\n  </div>\n);\n",
    );
    meant(
        "a.js",
        "const o = {\n«  onA() {\n    a(1);\n  },\n  onB() {\n|  onA() {\n    a(2);\n  },\n  onC() {\n»    b(1);\n  },\n};\n",
    );
}

#[test]
fn a_branch_keeps_its_commands() {
    check(
        "a.cmake",
        Bytes,
        "if(A)\n  set(X 1)\n«|else()\n  set(X 2)\n»  set(Y 3)\nendif()\n",
        &["set(X 1)"],
    );
    check(
        "a.cmake",
        Bytes,
        "if(A)\n  set(Y 3)\n«|elseif(B)\n  set(X 2)\n»endif()\n",
        &[],
    );
    check(
        "a.sh",
        Bytes,
        "if a; then\n  b\n«|else\n  c\n»  d\nfi\n",
        &["d"],
    );
    check(
        "a.sh",
        Bytes,
        "if a; then\n  b\n«|elif e; then\n  c\n»  d\nfi\n",
        &["d"],
    );
    check("a.sh", Bytes, "if a; then\n  b\n«|else\n  c\n»fi\n", &[]);
    check(
        "a.sh",
        Bytes,
        "if a; then\n  b\nelse\n  c\n«|  d\n»fi\n",
        &[],
    );
    check(
        "a.cmake",
        Bytes,
        "if(A)\n  set(X 1)\nelse()\n  set(Y 2)\n«|  set(Z 3)\n»endif()\nfunction(f)\nendfunction()\n",
        &[],
    );
    check(
        "a.cmake",
        Bytes,
        "if(A)\n  set(X 1)\n«|  set(Z 3)\n»else()\nendif()\n«function(f)\nendfunction()\n|»set(W 1)\n",
        &[],
    );
    check(
        "a.sh",
        Bytes,
        "if a; then\n  b\n«|  c\n»  d\nelse\n  e\nfi\n",
        &[],
    );
}

#[test]
fn lines_of_a_value_stay_with_their_key() {
    let check = |text, expected: &[&str]| check("setup.cfg", Bytes, text, expected);
    check("[a]\nb =\n    c\n«|d = 1\n»    e\nf = 2\n", &["e"]);
    check("[a]\nb =\n    c\n«|d\n»    e\nf = 2\n", &["e"]);
    check("[a]\ng = 1\n«b =\n|»    c\nf = 2\n", &["g = 1", "c"]);
    check("[a]\nb =\n«    c\n|    d\n»    e\nf = 2\n", &[]);
    check("[a]\nb =\n    c\n    e\n«|d = 1\n»f = 2\n", &[]);
    check("[a]\nb = 1\n«|\n[c]\nd = 1\n»\n[f]\ng = 2\n", &[]);
    check("[a]\nb = 1\n«|[c]\n»d = 1\n", &["[a]"]);
}

#[test]
fn what_an_opened_body_had_is_guarded_by_nothing_new() {
    for path in ["a.js", "a.kt", "a.scala", "a.c"] {
        let (head, end) = match path {
            "a.kt" => ("fun f()", "g()"),
            "a.scala" => ("def f() =", "g()"),
            "a.c" => ("void f()", "g();"),
            _ => ("function f()", "g()"),
        };
        let edit = |first: &str| format!("{head} {{« |\n  {first}\n  »{end}« |\n»}}\n");
        check(path, Name, &edit("if (a)"), &["g()"]);
        check(path, Name, &edit("h();"), &[]);
    }
}

#[test]
fn what_is_in_a_list_goes_over_to_no_other() {
    let cases = [
        (
            "a.py",
            "X = {\n    'a': {\n        'p': 1,\n«    },\n    'b': {\n        'q': 2,\n|»        'r': 3,\n    },\n}\n",
            "'r': 3",
        ),
        (
            "a.js",
            "const x = {\n  a: {\n    p: 1,\n«  },\n  b: {\n    q: 2,\n|»    r: 3,\n  },\n};\n",
            "r: 3",
        ),
        (
            "a.py",
            "f(\n    a(\n        1,\n«    ),\n    b(\n|        4,\n»        3,\n    ),\n)\n",
            "3",
        ),
        (
            "a.py",
            "a = [\n    1,\n«]\nb = [\n    2,\n|»    3,\n]\n",
            "3",
        ),
        (
            "a.rs",
            "fn f() {\n    let x = vec![\n        a(\n            1,\n«        ),\n        b(\n            2,\n|»            3,\n        ),\n    ];\n}\n",
            "3",
        ),
        (
            "a.tf",
            "r \"a\" \"b\" {\n  x = {\n    p = 1\n«  }\n  y = {\n    q = 2\n|»    r = 3\n  }\n}\n",
            "r = 3",
        ),
    ];
    for (path, text, expected) in cases {
        check(path, Bytes, text, &[expected]);
    }
    // A whole element, what is on the line of the edit, and no more than what parts two lists.
    for text in [
        "X = [\n    [\n        1,\n«    ],\n    [\n|»        2,\n    ],\n]\n",
        "X = [\n    [1],\n«    [2],\n|»    [3],\n]\n",
        "x = f(«a) + g(|»b,\n    c)\n",
        "x = f(\n    «g(a),\n    h(|i(»b),\n    c,\n)\n",
        "x = f(\n    «g(\n|»    a,\n    b«),\n    h(\n|,\n»    c\n«    )\n|»)\n",
    ] {
        check("a.py", Bytes, text, &[]);
    }
}

#[test]
fn a_comma_is_missed_above_a_name_a_call_or_a_member() {
    let slip = |path: &str, text: &str| check_joined(path, text, true);
    let meant = |path: &str, text: &str| check_joined(path, text, false);

    slip(
        "a.kt",
        "val x = listOf(\n    Foo(1),\n«|    Foo(9)\n»    Foo(2),\n    Foo(3)\n)\n",
    );
    slip(
        "a.kt",
        "val x = listOf(\n    Foo(1),\n    Foo(2)\n«|    Foo(9)\n»)\n",
    );
    slip(
        "a.kt",
        "fun f() {\n    g(\n        a,\n«        b,\n|        b2\n»        c(1)\n    )\n}\n",
    );
    slip(
        "a.scala",
        "object A {\n  val x = List(\n«    Foo(1),\n|    Foo(9)\n»    Foo(2)\n  )\n}\n",
    );
    slip(
        "a.c",
        "struct o x = {\n«    .a = p,\n|    .a = q\n»    .b = 7,\n};\n",
    );
    slip("a.c", "struct o x = {\n    .a = p\n«|    .c = q,\n»};\n");
    slip(
        "a.swift",
        "let x: [C] = [\n«    .red,\n|    .pink\n»    .blue\n]\n",
    );
    slip("a.rb", "y = [\n«  Foo::Bar,\n|  Foo::New\n»  Foo::Baz\n]\n");
    slip("a.rb", "f(\n«  a,\n|  b\n»  result\n)\n");
    slip(
        "a.zig",
        "fn f() void {\n    g(\n«        a,\n|        b,\n        c\n»        .b,\n    );\n}\n",
    );

    // An annotation, words before a parameter, a chain, an infix call, and a text beside a macro.
    meant("a.kt", "fun f(\n«|    @A\n»    b: C,\n) {}\n");
    meant(
        "A.java",
        "class A {\n  void f(\n      int a,\n«|      final\n»      int b) {}\n}\n",
    );
    meant("a.c", "void f(int a,\n«|    const unsigned\n»    int b);\n");
    meant(
        "a.kt",
        "val x = listOf(\n    a\n«|        .b()\n»    ,\n    c\n)\n",
    );
    meant("a.kt", "val x = f(\n    a\n«|        shouldBe 3\n»)\n");
    meant("a.kt", "val x = f(\n    a\n«|        to b,\n»    c\n)\n");
    meant(
        "a.c",
        "int f() {\n  return p(\n«      \"a\"\n|      \"b\"\n»      PRI,\n      x);\n}\n",
    );
}

#[test]
fn what_is_put_below_a_statement_makes_no_call_of_it() {
    check(
        "a.lua",
        Bytes,
        "function f()\n  g(1)\n«|  (a or b)()\n»  h()\nend\n",
        &["g(1)"],
    );
    check_joined("a.lua", "bar({\n  x = 1,\n})\n«|  [\"y\"] = 3\n»", true);
    check(
        "a.lua",
        Bytes,
        "function f()\n  g(1);\n«|  (a or b)()\n»  h()\nend\n",
        &[],
    );
    check(
        "a.swift",
        Bytes,
        "func f() {\n  g()\n«|  let x = { 1 }\n»}\n",
        &[],
    );
}

#[test]
fn a_last_clause_may_get_a_condition() {
    let passes = |path, text| check(path, Bytes, text, &[]);
    passes("a.sh", "if a; then\n  x\n«else\n|elif b; then\n»  y\nfi\n");
    passes("a.sh", "if a; then\n  x\n«elif b; then\n|else\n»  y\nfi\n");
    passes(
        "a.sh",
        "if a; then\n  x\n«elif b; then\n|elif c; then\n»  y\nfi\n",
    );
    passes("a.rb", "if a\n  x\n«else\n|elsif b\n»  y\nend\n");
    passes(
        "a.lua",
        "if a then\n  x()\n«else\n|elseif b then\n»  y()\nend\n",
    );
    passes("a.py", "if a:\n    x()\n«else:\n|elif b:\n»    y()\n");
    check(
        "a.sh",
        Bytes,
        "if a; then\n  x\n«else\n|fi\nif b; then\n»  y\nfi\n",
        &["y"],
    );
}

#[test]
fn what_nothing_opens_may_get_a_first_one() {
    let cmake = |text, expected: &[&str]| check("CMakeLists.txt", Name, text, expected);
    cmake("function(f a)\n«|  h()\n»  g()\nendfunction()\n", &[]);
    cmake("if(a)\n  g()\nelse()\n«|  h()\n»  g()\nendif()\n", &[]);
    cmake(
        "if(a)\n  g()\n«|else()\n»  g()\n  h()\nendif()\n",
        &["g()", "h()"],
    );
}
