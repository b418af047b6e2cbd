//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.dart", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.dart", source, path, expected);
}

#[test]
fn types_and_members() {
    names(
        "library foo;\nimport 'dart:io';\nabstract class C<T> extends B with M implements I {\n  static const limit = 1;\n  final int a, b;\n  int? x = 1;\n  C(this.a, {this.b = 2}) : x = 1 { foo(); }\n  C.named(int y) : this(y);\n  factory C.f() => C(1);\n  const C.k();\n  int get g => 1;\n  set s(int v) { x = v; }\n  @override\n  Future<void> m() async { void local() {} }\n  static void st() {}\n  void abs();\n}\nmixin M on B { void mm() {} }\nextension E on String { int get len => 1; }\nenum En { a, b; void f() {} }\ntypedef F = int Function(int);\nvoid main() { var x = 1; }\nint get topg => 1;\nconst top = 1;\nfinal List<int> tl = [];\nvar u, w;\n",
        "class C\n  variable limit\n  variable x\n  method C\n  method named\n  method f\n  method k\n  method g\n  method s\n  method m\n    function local\n  method st\n  method abs\nclass M\n  method mm\nclass E\n  method len\nenum En\n  method f\ntype F\nfunction main\nfunction topg\nvariable top\nvariable tl",
    );
}

#[test]
fn annotations_and_bodies() {
    let source = "class A {\n  /// Says it.\n  @override\n  int m(int x) {\n    return x;\n  }\n\n  int get n => 1;\n  int o = 1;\n}\n";
    parts(
        source,
        "A.m",
        &[
            ("comment", "/// Says it."),
            ("decorator", "@override"),
            ("definition", "int m(int x) {\n    return x;\n  }"),
            ("signature", "int m(int x)"),
            ("body", "    return x;"),
            ("docstring", "/// Says it."),
        ],
    );
    parts(
        source,
        "A.n",
        &[
            ("definition", "int get n => 1;"),
            ("signature", "int get n"),
            ("body", "1"),
        ],
    );
    parts(
        source,
        "A.o",
        &[
            ("definition", "int o = 1;"),
            ("signature", "int o"),
            ("body", "1"),
        ],
    );
}

#[test]
fn a_set_is_no_body() {
    let unrun = |source: &str| {
        let at = source.find("=> ").unwrap() + 3;
        grammar("a.dart").unrun_body(source.as_bytes(), at)
    };
    assert_eq!(unrun("int f() => {g()};\n"), Some("a set"));
    assert_eq!(
        unrun("class A {\n  int get f => {/* c */ 1};\n}\n"),
        Some("a set")
    );
    assert_eq!(unrun("f() => {'a': 1};\n"), None);
    assert_eq!(unrun("f() => {...a};\n"), None);
    assert_eq!(unrun("f() => {};\n"), None);
    assert_eq!(unrun("f() => <int>{1};\n"), None);
}
