//! Tables of what the language gives.

use crate::syntax::SegmentKind;
use crate::syntax::tree::tests::*;

const FILE: &str = "a.js";

fn names(source: &str, expected: &str) {
    check_names(FILE, source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts(FILE, source, path, expected);
}

#[test]
fn functions_and_classes() {
    names(
        "function f() {}\nasync function g() {}\nfunction* h() {}\n",
        "function f\nfunction g\nfunction h",
    );
    names(
        "export function f() {}\nexport default async function g() {}\n",
        "function f\nfunction g",
    );
    names(
        "class A extends B {\n  static x = 1;\n  #y;\n  constructor() { super(); }\n  get v() { return 1 }\n  set v(x) {}\n  static async *gen() {}\n  #hidden() {}\n  'quoted-name'() {}\n  [Symbol.iterator]() {}\n  on = () => { this.x };\n  off = function () {};\n  static { this.z = 1; }\n}\n",
        "class A\n  variable x\n  variable #y\n  method constructor\n  method v\n  method v\n  method gen\n  method #hidden\n  method quoted-name\n  method [Symbol.iterator]\n  method on\n  method off\n  method static",
    );
    names(
        "export default class { m() {} }\n",
        "class default\n  method m",
    );
    names("export default () => {};\n", "function default");
    names("export default async function () {}\n", "function default");
    names(
        "export default function* () { const f = () => 1; }\n",
        "function default\n  function f",
    );
    names("export default wrap(() => {});\n", "");
    names("const a = 1;\nexport { a as default };\n", "variable a");
    names(
        "class A {\n  'm x'() {}\n  get \"a.b\"() {}\n  \"it's\"() {}\n  'a\"b'() {}\n  'c[0]' = 1;\n}\n",
        "class A\n  method \"m x\"\n  method \"a.b\"\n  method \"it's\"\n  variable \"c[0]\"",
    );
    names(
        "module.exports = class Foo { m() {} };\n",
        "variable module::exports\n  class Foo\n    method m",
    );
    names("mixin(class { m() { const f = () => 1; } });\n", "");
    names("const A = class B { m() {} };\n", "class A\n  method m");
}

#[test]
fn modifiers_on_lines_of_their_own() {
    let parts =
        |source: &str, expected: &[(&str, &str)]| check_parts(FILE, source, "A.b", expected);
    parts(
        "class A {\n  static\n  b() {}\n}\n",
        &[
            ("definition", "static\n  b() {}"),
            ("signature", "static\n  b()"),
            ("body", ""),
        ],
    );
    parts(
        "class A {\n  get\n  b() {}\n}\n",
        &[
            ("definition", "get\n  b() {}"),
            ("signature", "get\n  b()"),
            ("body", ""),
        ],
    );
    names(
        "class A {\n  static\n  #b;\n  static\n  *c() {}\n}\n",
        "class A\n  variable #b\n  method c",
    );
    // These are fields.
    names(
        "class A {\n  static;\n  b() {}\n}\n",
        "class A\n  variable static\n  method b",
    );
    names(
        "class A {\n  async\n  b() {}\n}\n",
        "class A\n  variable async\n  method b",
    );
    names(
        "class A {\n  get\n  *b() {}\n}\n",
        "class A\n  variable get\n  method b",
    );
    names(
        "class A {\n  b = get\n  c() {}\n}\n",
        "class A\n  variable b\n  method c",
    );
    names("class A {\n  static\n}\n", "class A\n  variable static");
}

#[test]
fn functions_in_variables() {
    names(
        "const f = () => 1;\nlet g = async (x) => { return x };\nvar h = function named() {};\nconst k = function* () {};\n",
        "function f\nfunction g\nfunction h\nfunction k",
    );
    names(
        "const Page = () => {\n  const calc = () => {\n    return 1;\n  };\n  const local = 5;\n  return <b>{calc()}</b>;\n};\n",
        "function Page\n  function calc",
    );
    names(
        "const Page = memo(function Inner({ a }) {\n  const onClick = () => a();\n  return <Foo onClick={onClick} render={() => { const deep = () => 1; return deep }} />;\n});\n",
        "variable Page\n  function onClick\n  function deep",
    );
    names(
        "const a = () => 1, b = 2, c = function () {};\n",
        "function a\nvariable b\nfunction c",
    );
}

#[test]
fn what_is_put_into_a_member_at_the_top_is_called_by_all_of_it() {
    names(
        "app.use = function use(fn) {};\nexports.f = async (a) => a;\nexports.K = class { m() {} };\n",
        "function app::use\nfunction exports::f\nclass exports::K\n  method m",
    );
    names(
        "Foo.prototype.bar = function () {};\nFoo.limit = 1\nmodule.exports = Foo;\n",
        "function Foo.prototype::bar\nvariable Foo::limit\nvariable module::exports",
    );
    // Both are names of the one, and what is in it is called by the second.
    names(
        "req.get =\nreq.header = function header(name) { function f() {} };\nexports = module.exports = make;\n",
        "function req::get\n  function req::header\n    function f\nvariable module::exports",
    );
    // No name, one that is made on the way, no definition, or not at the top.
    names(
        "a['b'] = 1;\na().b = 2;\na.b += 1;\na[0].c = 3;\nif (x) { a.d = 4; }\nfunction f() { a.e = () => 1; }\n",
        "function f",
    );
    parts(
        "/** Use. */\napp.use = function use(fn) {\n  return fn;\n};\n",
        "use",
        &[
            ("comment", "/** Use. */"),
            (
                "definition",
                "app.use = function use(fn) {\n  return fn;\n};",
            ),
            ("signature", "app.use = function use(fn)"),
            ("body", "  return fn;"),
            ("docstring", "/** Use. */"),
        ],
    );
}

#[test]
fn members_of_an_object_that_has_a_name_are_called_after_it() {
    names(
        "const o = {\n  a: 1, f: () => 2, async *g() {}, get h() { return 1; }, k: class { m() {} }, s, ...t,\n  'x-y': 1, [z]: 2, n: { p: { q: 1 } },\n};\n",
        "variable o\n  variable a\n  method f\n  method g\n  method h\n  class k\n    method m\n  variable s\n  variable x-y\n  variable [z]\n  variable n\n    variable p\n      variable q",
    );
    names(
        "module.exports = { a };\nexport default { data() {} };\nclass A { static b = { c: 1 }; }\n",
        "variable module::exports\n  variable a\nvariable default\n  method data\nclass A\n  variable b\n    variable c",
    );
    // What is in something else than the value itself has no name.
    names(
        "f({ a: 1, b() {} });\nconst c = [{ d: 1 }];\nconst e = f({ g: 1 });\nconst h = () => ({ i: 1 });\nfunction j() { const k = { l() {} }; }\n",
        "variable c\nvariable e\nfunction h\nfunction j",
    );
    parts(
        "const o = {\n  /** A. */\n  a: 1, // one\n  f() { return 2; },\n};\n",
        "o.a",
        &[
            ("comment", "/** A. */"),
            ("definition", "a: 1"),
            ("signature", "a"),
            ("body", "1"),
            ("docstring", "/** A. */"),
        ],
    );
}

#[test]
fn tests_are_called_by_what_they_say() {
    names(
        "describe('Calc', () => {\n  const one = () => 1;\n  beforeEach(() => {});\n  it('adds. two', async function () {\n    expect(1);\n  });\n  it.skip(`subs`, () => {});\n  it(`x ${y}`, () => {});\n  other('z', () => {});\n});\n",
        "function Calc\n  function one\n  function \"adds. two\"\n  function subs",
    );
}

#[test]
fn other_variables_only_at_the_top() {
    names(
        "const A = 1;\nlet b;\nvar c = { m() {}, f: () => 1, g: function () {} };\nexport const D = [1];\n",
        "variable A\nvariable b\nvariable c\n  method m\n  method f\n  method g\nvariable D",
    );
    names("const { a, b } = x;\nconst [c] = y;\n", "");
    names(
        "function f() { const x = 1; let y; { var z = 2 } }\nif (x) { const q = 1; }\n",
        "function f",
    );
    names(
        "if (x) { function late() {} } else { function late() {} }\n",
        "function late\nfunction late",
    );
    names(
        "describe('x', () => {\n  function helper() {}\n  it('y', async () => { const g = () => 1; });\n});\n",
        "function x\n  function helper\n  function y\n    function g",
    );
}

#[test]
fn a_definition_is_the_statement() {
    let parts = |source: &str, path: &str, expected: &[(&str, &str)]| {
        check_parts(FILE, source, path, expected)
    };
    parts(
        "export const f = (x) => x + 1;\n",
        "f",
        &[
            ("definition", "export const f = (x) => x + 1;"),
            ("signature", "export const f = (x) =>"),
            ("body", "x + 1"),
        ],
    );
    parts(
        "const a = 1, b = () => {\n  go();\n}, c = 3;\n",
        "b",
        &[
            ("definition", "b = () => {\n  go();\n}"),
            ("signature", "b = () =>"),
            ("body", "  go();"),
        ],
    );
    parts(
        "export default class A {}\n",
        "A",
        &[
            ("definition", "export default class A {}"),
            ("signature", "export default class A"),
            ("body", ""),
        ],
    );
    parts(
        "export const LIMIT = 3;\n",
        "LIMIT",
        &[
            ("definition", "export const LIMIT = 3;"),
            ("signature", "export const LIMIT"),
            ("body", "3"),
        ],
    );
    parts(
        "let later;\n",
        "later",
        &[("definition", "let later;"), ("signature", "let later")],
    );
    parts(
        "function f() { return 1; }\n",
        "f",
        &[
            ("definition", "function f() { return 1; }"),
            ("signature", "function f()"),
            ("body", "return 1;"),
        ],
    );
    parts(
        "class A {\n  x = 1;\n  y = 2\n  z = () => { a };\n}\n",
        "A.x",
        &[("definition", "x = 1;"), ("signature", "x"), ("body", "1")],
    );
    parts(
        "class A {\n  x = 1;\n  y = 2\n  z = () => { a };\n}\n",
        "A.y",
        &[("definition", "y = 2"), ("signature", "y"), ("body", "2")],
    );
    parts(
        "class A {\n  x = 1;\n  y = 2\n  z = () => { a };\n}\n",
        "A.z",
        &[
            ("definition", "z = () => { a };"),
            ("signature", "z = () =>"),
            ("body", "a"),
        ],
    );
    parts(
        "const Page = () => {\n  const calc = () => {\n    return 1;\n  };\n  return <b>{calc()}</b>;\n};",
        "Page.calc",
        &[
            ("definition", "const calc = () => {\n    return 1;\n  };"),
            ("signature", "const calc = () =>"),
            ("body", "    return 1;"),
        ],
    );
    parts(
        "const A = class B {\r\n  m() {}\r\n};\r\n",
        "A",
        &[
            ("definition", "const A = class B {\r\n  m() {}\r\n};"),
            ("signature", "const A = class B"),
            ("body", "  m() {}"),
        ],
    );
}

#[test]
fn a_definition_ends_where_the_next_line_cannot_follow() {
    let definition = |text: &str, name: &str, expected: &str| {
        let outline = super::JAVASCRIPT.grammar.outline(text.as_bytes());
        let symbol = outline
            .symbols
            .iter()
            .find(|symbol| symbol.name == name)
            .expect("it is defined");
        let span = symbol.definition;
        assert_eq!(&text[span.start..span.end], expected, "{text:?}");
    };
    for next in [
        "(g)()",
        "[1].map(g)",
        "`a`.length",
        "/re/.test(g)",
        "+g",
        "-g",
        "(async () => { go() })()",
    ] {
        for gap in [
            "\n",
            "\n\n  ",
            "\r\n",
            " // c\n",
            "// c\n",
            "// c\n// d\n",
            " /* c */\n",
            "\n/* c */ ",
        ] {
            let ends = |statement: &str, name| {
                definition(&format!("{statement}{gap}{next}\n"), name, statement)
            };
            ends("const f = () => {}", "f");
            ends("export const f = async (x) => {\n  x\n}", "f");
            ends("const f = a ? b : x => y => {}", "f");
        }
    }
    definition("const f = i++\n(g)()\n", "f", "const f = i++");
    definition("const f = i--\n[1].map(g)\n", "f", "const f = i--");
    definition("var f\n// c\n(g)()\n", "f", "var f");
    definition("var f // c\n\n[1].map(g)\n", "f", "var f");

    definition(
        "export\n// c\n\nconst f = 1\n",
        "f",
        "export\n// c\n\nconst f = 1",
    );
    definition(
        "export /* c */\nlet f\n(g)()\n",
        "f",
        "export /* c */\nlet f",
    );

    // An operand is followed by its operator, whatever line that is on.
    for whole in [
        "const f = (() => {})\n(g)()",
        "const f = function () {}\n(g)()",
        "const f = i++\n+ g",
        "const f = i\n(g)()",
        "const f = x => x\n(g)()",
        "const f = g(() => {}, // c\n  [1])\n(h)()",
    ] {
        definition(&format!("{whole}\n"), "f", whole);
    }
}

#[test]
fn decorations_stand_directly_above() {
    let parts = |source: &str, path: &str, expected: &[(&str, &str)]| {
        check_parts(FILE, source, path, expected)
    };
    parts(
        "/* licence */\n\n// why\n/** Doc. */\nfunction f() {}\n",
        "f",
        &[
            ("comment", "// why"),
            ("comment", "/** Doc. */"),
            ("definition", "function f() {}"),
            ("signature", "function f()"),
            ("body", ""),
            ("docstring", "/** Doc. */"),
        ],
    );
    parts(
        "const a = 1; // note\nfunction f() {}\n",
        "f",
        &[
            ("definition", "function f() {}"),
            ("signature", "function f()"),
            ("body", ""),
        ],
    );
    // Over one blank line, but not from the top of the file, and not where it says that it stands alone.
    let plain = [
        ("definition", "function f() {}"),
        ("signature", "function f()"),
        ("body", ""),
    ];
    let documented = [
        &[("comment", "/** D */")][..],
        &plain[..],
        &[("docstring", "/** D */")][..],
    ]
    .concat();
    parts("x();\n/** D */\n\nfunction f() {}\n", "f", &documented);
    for alone in [
        "x();\n/** D */\n\n\n",
        "/** D */\n\n",
        "#!/usr/bin/env node\n/** D */\n\n",
        "x();\n/* D */\n\n",
        "x();\n/** @typedef {X} Y */\n\n",
    ] {
        parts(&format!("{alone}function f() {{}}\n"), "f", &plain);
    }
    parts(
        "/** @type {X} */ const a = 1;\n",
        "a",
        &[
            ("comment", "/** @type {X} */"),
            ("definition", "const a = 1;"),
            ("signature", "const a"),
            ("body", "1"),
            ("docstring", "/** @type {X} */"),
        ],
    );
    parts(
        "class A { // note\n  // own\n  m() {}\n}\n",
        "A.m",
        &[
            ("comment", "// own"),
            ("definition", "m() {}"),
            ("signature", "m()"),
            ("body", ""),
        ],
    );
    parts(
        "/** D */\nexport const f = () => 1;\n",
        "f",
        &[
            ("comment", "/** D */"),
            ("definition", "export const f = () => 1;"),
            ("signature", "export const f = () =>"),
            ("body", "1"),
            ("docstring", "/** D */"),
        ],
    );
    parts(
        "@dec\n@log(1) export class A {\n  @a @b()\n  // why\n  m() {}\n}\n",
        "A",
        &[
            ("decorator", "@dec"),
            ("decorator", "@log(1)"),
            (
                "definition",
                "export class A {\n  @a @b()\n  // why\n  m() {}\n}",
            ),
            ("signature", "export class A"),
            ("body", "  @a @b()\n  // why\n  m() {}"),
        ],
    );
    parts(
        "@dec\n@log(1) export class A {\n  @a @b()\n  // why\n  m() {}\n}\n",
        "A.m",
        &[
            ("decorator", "@a"),
            ("decorator", "@b()"),
            ("comment", "// why"),
            ("definition", "m() {}"),
            ("signature", "m()"),
            ("body", ""),
        ],
    );
    parts(
        "export @dec class A {}\n",
        "A",
        &[
            ("definition", "export @dec class A {}"),
            ("signature", "export @dec class A"),
            ("body", ""),
        ],
    );
}

#[test]
fn bodies_are_whole_lines() {
    let body = |source: &str, expected: &str| {
        let outline = super::JAVASCRIPT.grammar.outline(source.as_bytes());
        let span = outline.symbols[0].body.expect("a function has a body");
        assert_eq!(&source[span.start..span.end], expected, "{source:?}");
    };
    body("function f() {\n  a;\n}\n", "  a;");
    body("function f() {\r\n  a;\r\n}\r\n", "  a;");
    body("function f() {  \n\n  a;\n\n  }\n", "  a;\n");
    body("function f() {}\n", "");
    body("function f() { }\n", "");
    body("function f() {\n}\n", "");
    body("function f() {\n\n}\n", "");
    // What comments the header stays with that.
    body("function f() { // c\n  a; }\n", "  a;");
    body("function f() { // c\n}\n", "");
    body("function f() { a; // c\n}\n", "a; // c");
}

#[test]
fn a_method_is_read_without_its_class() {
    let class = Some(SegmentKind::Class);
    check_fragment(
        FILE,
        "process(x) {\n  return x;\n}",
        class,
        &[("method process", "process(x) {\n  return x;\n}")],
    );
    check_fragment(
        FILE,
        "/** D */\n@a\nasync m() {} // end",
        class,
        &[("method m", "/** D */\n@a\nasync m() {}")],
    );
    check_fragment(FILE, "x = 1;", class, &[("variable x", "x = 1;")]);
    check_fragment(FILE, "class A {}", class, &[("class A", "class A {}")]);
    check_fragment(
        FILE,
        "const f = () => 1;",
        Some(SegmentKind::Function),
        &[("function f", "const f = () => 1;")],
    );
    check_fragment(FILE, "m() {}", None, &[("method m", "m() {}")]);
    check_fragment(FILE, "x = 1;", None, &[]);
    check_fragment(
        FILE,
        "a() {}\n}\nclass Y {\n  b() {}",
        class,
        &[("method a", "a() {}")],
    );
    check_fragment(FILE, "function (", class, &[]);
}

#[test]
fn lines_have_roles() {
    check_roles(
        FILE,
        "const s = `a\n  b\n\n  c`;\nx;\n\n/*\n * d\n */\n",
        None,
        "c F F F c _ c d6 d6",
    );
    check_roles(
        FILE,
        "m() {\n  return `\n${x}\n`;\n}",
        Some(SegmentKind::Class),
        "c c F F c",
    );
    check_roles(FILE, "// a\n// b\n'x\\\ny';\n", None, "c c c F");
    check_roles(FILE, "", None, "");
}

#[test]
fn errors_point_at_the_cause() {
    check_errors(FILE, "const x = 1;\n", &[]);
    check_errors(FILE, "function f() {\n  a(;\n}\n", &["19: missing `)`"]);
    check_errors(FILE, "function f() {\n  a();\n", &["21: missing `}`"]);
}

#[test]
fn comments_and_strange_bytes() {
    check_comments(
        FILE,
        "// a\nx; /* b\n*/ `// no`;\r\n// c\r\n",
        &["// a", "/* b\n*/", "// c"],
    );
    names("\u{feff}// c\nfunction f() {}\n", "function f");
    check_parts(
        FILE,
        "\u{feff}// c\nfunction f() {}\n",
        "f",
        &[
            ("comment", "// c"),
            ("definition", "function f() {}"),
            ("signature", "function f()"),
            ("body", ""),
        ],
    );
    names("#!/usr/bin/env node\nfunction f() {}\n", "function f");
    let latin = b"// caf\xe9\nfunction f() { return '\xe9'; }\nfunction g() {}\n";
    let outline = super::JAVASCRIPT.grammar.outline(latin);
    assert_eq!(
        outline
            .symbols
            .iter()
            .map(|symbol| &*symbol.name)
            .collect::<Vec<_>>(),
        ["f", "g"]
    );
    assert_eq!(super::JAVASCRIPT.grammar.errors(latin), []);
}
