//! Tables of what the language gives.

use crate::syntax::SegmentKind;
use crate::syntax::tree::tests::*;

const FILE: &str = "a.rs";

fn names(source: &str, expected: &str) {
    check_names(FILE, source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts(FILE, source, path, expected);
}

#[test]
fn items() {
    names(
        "pub(crate) const unsafe extern \"C\" fn f<T: X>() where T: Y {}\nasync fn r#type() {}\n",
        "function f\nfunction r#type",
    );
    names(
        "pub struct A { x: u8 }\nstruct B;\nstruct C(u8);\nunion D { a: u8 }\nenum E { A, B(u8), C { x: u8 } }\n",
        "struct A\n  variable x\nstruct B\nstruct C\nstruct D\n  variable a\nenum E\n  constant A\n  constant B\n  constant C\n    variable x",
    );
    names(
        "const A: u8 = 1;\nstatic mut B: u8 = 2;\nconst _: () = ();\ntype T<X> = Vec<X>;\n",
        "constant A\nvariable B\ntype T",
    );
    names(
        "mod a;\nmod b {\n  pub fn f() {}\n  mod c { struct S; }\n}\n",
        "module a\nmodule b\n  function f\n  module c\n    struct S",
    );
    names(
        "#[macro_export]\nmacro_rules! m { () => { fn no() {} }; }\n",
        "function m",
    );
    names(
        "extern \"C\" {\n  fn c(x: u8);\n  static Y: u8;\n}\n",
        "function c\nvariable Y",
    );
    names(
        "fn f() {\n  fn inner() {}\n  const X: u8 = 1;\n  struct L;\n  impl L { fn m(&self) {} }\n  let c = || { fn deep() {} };\n}\n",
        "function f\n  function inner\n  constant X\n  struct L\n  impl impl L\n    method L::m\n  function deep",
    );
    names(
        "trait T: X {\n  const N: u8;\n  type Item: X;\n  fn a(&self);\n  fn b(&self) { fn q() {} }\n}\n",
        "trait T\n  constant N\n  type Item\n  method a\n  method b\n    function q",
    );
}

#[test]
fn impl_members_are_called_after_the_type() {
    let check = |header: &str, name: &str, owner: &str| {
        names(
            &format!("{header} {{ fn m() {{}} }}\n"),
            &format!("impl {name}\n  method {owner}m"),
        )
    };
    // What is written is the name, but for the words ahead of it, its own type parameters and where they are bound.
    let owner = |header: &str, owner: &str| check(header, header, owner);
    check("impl<T> Stack<T> where T: X", "impl Stack<T>", "Stack::");
    check(
        "unsafe impl<T> Send for a::b::Stack<T>",
        "impl Send for a::b::Stack<T>",
        "Stack::",
    );
    check(
        "impl<'a> Tr for &'a mut Stack<u8>",
        "impl Tr for &'a mut Stack<u8>",
        "Stack::",
    );
    check("impl Tr\n  for\tStack", "impl Tr for Stack", "Stack::");
    check("impl Tr for [u8; 3]", "\"impl Tr for [u8; 3]\"", "");
    owner("impl Stack", "Stack::");
    owner("impl fmt::Display for a::Stack", "Stack::");
    owner("impl Tr for *const a::Stack<u8>", "Stack::");
    owner("impl Tr for dyn Shape", "Shape::");
    owner("impl Tr for &dyn Shape", "Shape::");
    owner("impl Tr for Box<dyn Shape>", "Box::");
    owner("impl Tr for dyn a::Shape + Send", "Shape::");
    owner("impl Tr for dyn a::Shape + Send + Sync", "Shape::");
    owner("impl Tr for u8", "u8::");
    owner("impl Tr for str", "str::");
    owner("impl Tr for &str", "str::");
    owner("impl Tr for &mut (dyn Shape + Send + Sync + 'a)", "Shape::");
    owner("impl Tr for &&&Stack<u8>", "Stack::");
    owner("impl Tr for Box<dyn Fn()>", "Box::");
    owner("impl Tr for dyn Fn(u8) -> u8", "Fn::");
    owner("impl Tr for (A, B)", "");
    owner("impl Tr for (A,)", "");
    owner("impl Tr for ()", "");
    owner("impl Tr for !", "");
    owner("impl Tr for fn(u8)", "");
    owner("impl !Sync for Stack", "Stack::");
    names(
        "impl A { fn a() { fn inner() {} } const N: u8 = 1; }\nimpl X for A { type Out = u8; fn b() {} }\n",
        "impl impl A\n  method A::a\n    function inner\n  constant A::N\nimpl impl X for A\n  type A::Out\n  method A::b",
    );
}

#[test]
fn definitions() {
    parts(
        "pub fn f(a: u8) -> u8 {\n    a\n}\n",
        "f",
        &[
            ("definition", "pub fn f(a: u8) -> u8 {\n    a\n}"),
            ("signature", "pub fn f(a: u8) -> u8"),
            ("body", "    a"),
        ],
    );
    parts(
        "pub const A: [u8; 2] = { [1, 2] };\n",
        "A",
        &[
            ("definition", "pub const A: [u8; 2] = { [1, 2] };"),
            ("signature", "pub const A: [u8; 2]"),
            ("body", "{ [1, 2] }"),
        ],
    );
    parts(
        "pub struct B;\n",
        "B",
        &[
            ("definition", "pub struct B;"),
            ("signature", "pub struct B"),
        ],
    );
    parts(
        "pub struct C<T>(T) where T: X;\n",
        "C",
        &[
            ("definition", "pub struct C<T>(T) where T: X;"),
            ("signature", "pub struct C<T>(T) where T: X"),
        ],
    );
    parts(
        "fn f<T>(t: T)\nwhere\n    T: X,\n{\n}\n",
        "f",
        &[
            ("definition", "fn f<T>(t: T)\nwhere\n    T: X,\n{\n}"),
            ("signature", "fn f<T>(t: T)\nwhere\n    T: X,"),
            ("body", ""),
        ],
    );
    parts(
        "trait T {\n    fn a(&self);\n}\n",
        "T.a",
        &[("definition", "fn a(&self);"), ("signature", "fn a(&self)")],
    );
    parts(
        "macro_rules! m {\n    () => { 1 };\n}\n",
        "m",
        &[
            ("definition", "macro_rules! m {\n    () => { 1 };\n}"),
            ("signature", "macro_rules! m"),
            ("body", "    () => { 1 };"),
        ],
    );
    parts(
        "impl A {\n    pub fn m(&self) {}\n}\n",
        "m",
        &[
            ("definition", "pub fn m(&self) {}"),
            ("signature", "pub fn m(&self)"),
            ("body", ""),
        ],
    );
    parts(
        "mod x;\n",
        "x",
        &[("definition", "mod x;"), ("signature", "mod x")],
    );
    parts(
        "type A<T> = Vec<T>;\n",
        "A",
        &[
            ("definition", "type A<T> = Vec<T>;"),
            ("signature", "type A<T>"),
            ("body", "Vec<T>"),
        ],
    );
}

#[test]
fn attributes_and_docs() {
    parts(
        "//! File.\n/// One.\n/// Two.\n#[derive(Debug)]\n// why\npub struct A;\n",
        "A",
        &[
            ("comment", "/// One."),
            ("comment", "/// Two."),
            ("decorator", "#[derive(Debug)]"),
            ("comment", "// why"),
            ("definition", "pub struct A;"),
            ("signature", "pub struct A"),
            ("docstring", "/// One.\n/// Two."),
        ],
    );
    parts(
        "#![allow(x)]\n#[test] fn f() {}\n",
        "f",
        &[
            ("decorator", "#[test]"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
        ],
    );
    parts(
        "// licence\n\n/// D\n\n#[a]\n\nfn f() {}\n",
        "f",
        &[
            ("comment", "/// D"),
            ("decorator", "#[a]"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
            ("docstring", "/// D"),
        ],
    );
    // An attribute to the compiler, whatever is blank below it.
    parts(
        "/// D\n\n\n// why\nfn f() {}\n",
        "f",
        &[
            ("comment", "/// D"),
            ("comment", "// why"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
            ("docstring", "/// D"),
        ],
    );
    parts(
        "/// D\r\n#[a]\r\nfn f() {}\r\n",
        "f",
        &[
            ("comment", "/// D"),
            ("decorator", "#[a]"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
            ("docstring", "/// D"),
        ],
    );
    parts(
        "/** Block\n * doc */\nfn f() {}\n",
        "f",
        &[
            ("comment", "/** Block\n * doc */"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
            ("docstring", "/** Block\n * doc */"),
        ],
    );
    parts(
        "//////\n// x\nfn f() {}\n",
        "f",
        &[
            ("comment", "//////"),
            ("comment", "// x"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
        ],
    );
    parts(
        "use a; // note\nfn f() {}\n",
        "f",
        &[
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
        ],
    );
    parts(
        "mod m {\n    //! Inner.\n    fn f() {}\n}\n",
        "m.f",
        &[
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
        ],
    );
    parts(
        "impl A {\n    /// D\n    #[inline]\n    fn m() {}\n}\n",
        "m",
        &[
            ("comment", "/// D"),
            ("decorator", "#[inline]"),
            ("definition", "fn m() {}"),
            ("signature", "fn m()"),
            ("body", ""),
            ("docstring", "/// D"),
        ],
    );
    // Two comments, the first above a blank line: only the second is its own.
    parts(
        "// far\n\n// near\nfn f() {}\n",
        "f",
        &[
            ("comment", "// near"),
            ("definition", "fn f() {}"),
            ("signature", "fn f()"),
            ("body", ""),
        ],
    );
}

#[test]
fn members_are_read_without_their_impl() {
    check_fragment(
        FILE,
        "/// D\npub fn m(&self) -> u8 { 1 }",
        Some(SegmentKind::Struct),
        &[("method m", "/// D\npub fn m(&self) -> u8 { 1 }")],
    );
    check_fragment(
        FILE,
        "fn a(&self);\nconst N: u8;",
        Some(SegmentKind::Trait),
        &[("method a", "fn a(&self);"), ("constant N", "const N: u8;")],
    );
    check_fragment(FILE, "fn f() {}", None, &[("function f", "fn f() {}")]);
    check_fragment(
        FILE,
        "fn f() {}",
        Some(SegmentKind::Module),
        &[("function f", "fn f() {}")],
    );
    check_fragment(
        FILE,
        "impl A { fn m() {} }",
        None,
        &[("impl impl A", "impl A { fn m() {} }")],
    );
    check_fragment(
        FILE,
        "struct A {\n    x: u8,\n}",
        None,
        &[("struct A", "struct A {\n    x: u8,\n}")],
    );
}

#[test]
fn lines_have_roles() {
    check_roles(
        FILE,
        "let s = \"a\n  b \\\n c\";\nlet r = r#\"x\n\n\"#;\n/* a\n /* b */\n\n*/\n/// d\n/// e\nx\n",
        None,
        "c F k0 c F F c d6 _ d6 c c c",
    );
    check_roles(
        FILE,
        "fn m(&self) {\n    r\"\n\"\n}",
        Some(SegmentKind::Struct),
        "c c F c",
    );
    check_roles(
        FILE,
        "fn m() {\r\n    m!(\"x\r\ny\");\r\n}\r\n",
        None,
        "c c F c",
    );
}

#[test]
fn errors_and_comments() {
    check_errors(FILE, "fn f() { m!(); }\n", &[]);
    check_errors(FILE, "fn f() {\n    a();\n", &["7: `{` is never closed"]);
    check_errors(FILE, "fn f() {}\n}\n", &["10: unexpected `}`"]);
    check_errors(FILE, "fn f() { let x = 1 }\n", &["18: missing `;`"]);
    check_comments(
        FILE,
        "//! a\r\n/// b\nfn f() { \"// no\" /* c */ } // d",
        &["//! a", "/// b", "/* c */", "// d"],
    );
}

#[test]
fn what_the_grammar_does_not_know_is_read_all_the_same() {
    // Each of these compiles.
    names(
        "impl Db {\n    fn name(&self) -> u8 {\n        match self {\n            Db::Failed {\n                #[cfg(a)]\n                ref name,\n            } => 1,\n            _ => 2,\n        }\n    }\n\n    fn get(&self) {}\n}\n",
        "impl impl Db\n  method Db::name\n  method Db::get",
    );
    names(
        "struct A<T>\nwhere\n    T: Send;\n\nstruct B<T>(T)\nwhere\n    T: Send;\nfn f() {}\n",
        "struct A\nstruct B\nfunction f",
    );
    names(
        "fn g() {\n    let A { #[cfg(x)] b, .. } = c;\n}\nfn f() {}\n",
        "function g\nfunction f",
    );
    let source = "unsafe extern \"C\" {\n    pub safe fn f(x: u8);\n    safe fn g();\n}\n";
    names(source, "function f\nfunction g");
    parts(
        source,
        "g",
        &[("definition", "safe fn g();"), ("signature", "safe fn g()")],
    );
}

#[test]
fn a_macro_call_in_brackets_ends_with_a_semicolon() {
    let check = |source: &str, expected: &[&str]| check_errors(FILE, source, expected);
    check("fn f() {\n    m!()\n    g();\n}\n", &["17: missing `;`"]);
    check(
        "fn f() {\n    m![1] // one\n    g()\n}\n",
        &["18: missing `;`"],
    );
    check(
        "fn f() { a::m!(1)\n    m!(2)\n    let x = 1; }\n",
        &["17: missing `;`", "27: missing `;`"],
    );
    check("fn f() { || { m!() return } }\n", &["18: missing `;`"]);
    check(
        "fn f() {\n    m! {}\n    m!();\n    n![];\n    let x = m!();\n    m!()\n}\n",
        &[],
    );
    // An operator goes on with it.
    check(
        "fn f() { m!()\n    - 1 }\nfn g() { m!().h(); m!()[0]; m!() && n!() }\n",
        &[],
    );
    // At the top, each is an item.
    check(
        "m!();\nm! {}\nmod n {\n    m!();\n}\nimpl A {\n    m! {}\n    m![];\n}\n",
        &[],
    );
    check("m!()\nfn f() {}\n", &["4: missing `;`"]);
    check("trait A {\n    m!()\n}\n", &["18: missing `;`"]);
    // Whatever a macro takes.
    check(
        "m! { fn f() { n!() g() } let x = 1; }\nmacro_rules! o { () => { m!() let x = 1; f(); } }\n",
        &[],
    );
}

#[test]
fn statements_stand_in_functions() {
    let check = |source: &str, expected: &[&str]| check_errors(FILE, source, expected);
    check(
        "let x = 1;\nfn f() {}\n",
        &["0: `let` outside of a function"],
    );
    check(
        "fn f() {}\nf();\n",
        &["10: statement outside of a function"],
    );
    check(
        "fn f() {}\nif true {}\n",
        &["10: statement outside of a function"],
    );
    check(
        "mod m {\n    let x = 1;\n}\n",
        &["12: `let` outside of a function"],
    );
    check(
        "impl A {\n    let x = 1;\n}\n",
        &["13: `let` outside of a function"],
    );
    check(
        "fn f() {\n    trait A {\n        let x = 1;\n    }\n}\n",
        &["31: `let` outside of a function"],
    );
    check(
        "fn f() {\n    let x = 1;\n    f();\n    if x {}\n}\nconst A: u8 = { let y = 1; y };\n",
        &[],
    );
    // What `include!` may take.
    check("// one\n{ f(); 1 }\n", &[]);
    check("m!(1, 2)\n", &[]);
    check("fn a() {};\n", &["9: unexpected `;`"]);
    check("impl A {\n    fn b() {} ;\n}\n", &["23: unexpected `;`"]);
    check("struct A {};\n", &["11: unexpected `;`"]);
    check("m!(x) ;\nm! { x };\nm!(x);\nstruct B;\n", &[]);
    check("f();\n", &["0: statement outside of a function"]);
    // What the parser could not read may have cast it out.
    check(
        "fn f() {\n    g(;\n}\nlet x = 1;\n",
        &["14: `(` is never closed"],
    );
}

#[test]
fn attributes_and_documentation_are_of_something() {
    // Each verdict is that of rustc.
    let check = |source: &str, expected: &[&str]| check_errors(FILE, source, expected);
    check(
        "fn f() {\n    g();\n    /// x\n}\n",
        &["22: documentation of nothing"],
    );
    check("fn f() { #[a] }\n", &["9: attribute of nothing"]);
    check(
        "fn f() {\n    /// x\n    ;\n}\n",
        &["13: documentation of nothing"],
    );
    check("fn f() {}\n#[a]\n/// x\n", &["10: attribute of nothing"]);
    check("fn f() {}\n/** x */", &["10: documentation of nothing"]);
    for list in ["impl A", "trait A", "mod a", "extern \"C\""] {
        check(
            &format!("{list} {{ /** x */ }}\n"),
            &[&format!("{}: documentation of nothing", list.len() + 3)],
        );
    }
    check(
        "struct A {\n    a: u8, /// x\n}\n",
        &["22: documentation of nothing"],
    );
    check(
        "enum A {\n    B, /// x\n}\n",
        &["16: documentation of nothing"],
    );
    check(
        "fn f() { match a {\n    _ => {} /// x\n} }\n",
        &["31: documentation of nothing"],
    );
    check(
        "fn f() { A {\n    b: 1, /// x\n}; }\n",
        &["23: documentation of nothing"],
    );
    check(
        "fn f() {}\n//! x\n",
        &["10: documentation after something that it is not for"],
    );
    check(
        "/// x\n#![a]\nfn f() {}\n",
        &["6: attribute after something that it is not for"],
    );
    check(
        "fn f() { g(); /*! x */ }\n",
        &["14: documentation after something that it is not for"],
    );
    check(
        "struct A {\n    //! x\n    a: u8,\n}\n",
        &["15: documentation after something that it is not for"],
    );
    // rustc takes all of these.
    check("#!/bin/a\n//! a\n#![b]\n// c\n/*! d */\nfn f() {}\n", &[]);
    check(
        "fn f() {\n    // a\n    //! b\n    'c: {\n        #![d]\n        unsafe { //! e\n }\n    }\n}\n",
        &[],
    );
    check(
        "fn f() { match a {\n    #![a]\n    /// b\n    _ => {}\n} }\n",
        &[],
    );
    check(
        "fn f() {\n    /// x\n    g();\n    #[a]\n    // b\n    1\n}\n",
        &[],
    );
    check("fn f() {}\n////\n/***/\n/**/\n/*** x */\n//\n", &[]);
    check(
        "m! { /// x\n }\nmacro_rules! n { () => { /// x\n }; }\n",
        &[],
    );
}

#[test]
fn keywords_are_no_names() {
    check_errors(FILE, "fn f() {\n    else;\n}\n", &["13: unexpected `else`"]);
    check_errors(
        FILE,
        "fn f() {\n    g(where);\n}\n",
        &["15: unexpected `where`"],
    );
    check_errors(
        FILE,
        "fn f(r#else: &'static str) {\n    m!(else where in);\n    let async = r#else;\n}\n#[unsafe(no_mangle)]\nfn g() {}\n",
        &[],
    );
}

#[test]
fn two_operands_of_a_macro_are_parted() {
    let missing = |at: usize| format!("{at}: a comma is missing");
    check_errors(FILE, "fn f() { vec![1\n a, b]; }\n", &[&missing(17)]);
    check_errors(
        FILE,
        "fn f() { println!(\"{} {}\", a \"b\"); }\n",
        &[&missing(29)],
    );
    check_errors(
        FILE,
        "fn f() { vec![a as u8, if b { 1 } else { 2 }, move |c| d, &raw const e]; assert!(unsafe { g }, \"h {i}\", i = 1); sql!(select a b); }\n",
        &[],
    );
}

#[test]
fn fields_and_variants() {
    let source = "struct S {\n    /// A.\n    #[a]\n    pub a: u8, // one\n}\n\nenum E {\n    A = 1,\n    #[b]\n    B { x: u8 },\n}\n";
    parts(
        source,
        "S.a",
        &[
            ("comment", "/// A."),
            ("decorator", "#[a]"),
            ("definition", "pub a: u8"),
            ("signature", "pub a: u8"),
            ("docstring", "/// A."),
        ],
    );
    parts(
        source,
        "E.A",
        &[("definition", "A = 1"), ("signature", "A"), ("body", "1")],
    );
    parts(
        source,
        "E.B",
        &[
            ("decorator", "#[b]"),
            ("definition", "B { x: u8 }"),
            ("signature", "B"),
            ("body", "x: u8"),
        ],
    );
}
