//! Tables of what the language gives.

use crate::syntax::Kind;
use crate::syntax::tree::tests::*;

const FILE: &str = "a.go";

fn names(source: &str, expected: &str) {
    check_names(FILE, source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts(FILE, source, path, expected);
}

#[test]
fn declarations() {
    names(
        "package a\n\nfunc F[T any](x T) (int, error) { return 1, nil }\nfunc init() {}\n",
        "function F\nfunction init",
    );
    names(
        "package a\n\ntype Foo struct {\n\tA int\n}\ntype Bar interface {\n\tM()\n}\ntype Al = map[string]int\ntype Celsius float64\ntype Gen[T any] struct{ x T }\ntype Fn func(int) error\n",
        "struct Foo\ninterface Bar\ntype Al\ntype Celsius\nstruct Gen\ntype Fn",
    );
    names(
        "package a\n\nconst C = 1\nvar v int\nvar w, z = 1, 2\nconst (\n\tA = iota\n\tB\n\t_\n)\nvar (\n\tx int\n\ty = 2\n)\n",
        "constant C\nvariable v\nconstant A\nconstant B\nvariable x\nvariable y",
    );
    names("package a\n\nconst a, b = 1, 2\nconst (\n\tc, d, e = 1, 2, 3\n\tf = 4\n)\n", "constant f");
    names("package a\n\ntype (\n\tX struct{}\n\tY interface{}\n)\n", "struct X\ninterface Y");
    names(
        "package a\n\nfunc f() {\n\tconst local = 1\n\tvar x int\n\ttype T struct{}\n\tg := func() {}\n\tg()\n}\n",
        "function f\n  struct T",
    );
}

#[test]
fn methods_are_called_after_the_receiver() {
    let owner = |receiver: &str, owner: &str| {
        names(&format!("package a\n\nfunc {receiver} P() {{}}\n"), &format!("method {owner}P"))
    };
    owner("(w *Worker)", "Worker::");
    owner("(w Worker)", "Worker::");
    owner("(*Worker)", "Worker::");
    owner("(Worker)", "Worker::");
    owner("(w *Worker[T])", "Worker::");
    owner("(_ Worker[K, V])", "Worker::");
    owner("(w (*Worker))", "Worker::");
}

#[test]
fn definitions() {
    parts(
        "package a\n\n// Foo is.\ntype Foo struct {\n\tA int\n}\n",
        "Foo",
        &[
            ("comment", "// Foo is."),
            ("definition", "type Foo struct {\n\tA int\n}"),
            ("signature", "type Foo struct"),
            ("body", "\tA int"),
            ("docstring", "// Foo is."),
        ],
    );
    parts(
        "package a\n\n// Group.\ntype (\n\t// X is.\n\tX struct{}\n\n\tY int\n)\n",
        "X",
        &[
            ("comment", "// X is."),
            ("definition", "X struct{}"),
            ("signature", "X struct"),
            ("body", ""),
            ("docstring", "// X is."),
        ],
    );
    parts(
        "package a\n\ntype (\n\tY interface {\n\t\tM()\n\t}\n)\n",
        "Y",
        &[("definition", "Y interface {\n\t\tM()\n\t}"), ("signature", "Y interface"), ("body", "\t\tM()")],
    );
    parts(
        "package a\n\nvar x = 1 // note\n\n/*\nDoc.\n*/\n//go:noinline\nfunc (w *W) P() int {\n\treturn 1\n}\n",
        "P",
        &[
            ("comment", "/*\nDoc.\n*/"),
            ("comment", "//go:noinline"),
            ("definition", "func (w *W) P() int {\n\treturn 1\n}"),
            ("signature", "func (w *W) P() int"),
            ("body", "\treturn 1"),
            ("docstring", "/*\nDoc.\n*/"),
        ],
    );
    parts(
        "package a\n\nconst C int = 1\n",
        "C",
        &[("definition", "const C int = 1"), ("signature", "const C int"), ("body", "1")],
    );
    parts(
        "package a\n\nvar (\n\tx int = 1 // one\n\t// y is.\n\ty = 2\n)\n",
        "y",
        &[
            ("comment", "// y is."),
            ("definition", "y = 2"),
            ("signature", "y"),
            ("body", "2"),
            ("docstring", "// y is."),
        ],
    );
    parts(
        "package a\n\ntype A = int\n",
        "A",
        &[("definition", "type A = int"), ("signature", "type A"), ("body", "int")],
    );
    parts(
        "package a\n\nfunc asm(x int) int\n",
        "asm",
        &[("definition", "func asm(x int) int"), ("signature", "func asm(x int) int")],
    );
}

#[test]
fn fragments() {
    check_fragment(FILE, "// D\nfunc (w *W) P() {}", None, &[("method W::P", "// D\nfunc (w *W) P() {}")]);
    check_fragment(
        FILE,
        "type Foo struct {\n\tA, B int\n}",
        None,
        &[("struct Foo", "type Foo struct {\n\tA, B int\n}")],
    );
    check_fragment(FILE, "Foo struct {\n\tA, B int\n}", None, &[("struct Foo", "Foo struct {\n\tA, B int\n}")]);
    check_fragment(FILE, "func F() {}\n", Some(Kind::Struct), &[("function F", "func F() {}")]);
}

#[test]
fn roles_errors_comments() {
    check_roles(FILE, "x := `a\n\n  b`\n/* d\n*/\ny\n", None, "c F F c d3 c");
    check_errors(FILE, "package a\n\nfunc f() {\n", &["20: `{` is never closed"]);
    check_errors(FILE, "package a\n\nfunc f() { x := }\n", &["26: missing identifier"]);
    check_errors(FILE, "package a\n\nfunc f() {} func g() {}\n", &["22: missing end of line"]);
    check_errors(FILE, "package a\n\ntype A struct {\n\tx int\n}", &[]);
    check_comments(FILE, "package a // x\n\n/* y */\nvar s = \"// no\"\n", &["// x", "/* y */"]);
}
