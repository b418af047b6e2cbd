//! Tables of what the language gives.

use crate::syntax::SegmentKind;
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
        "struct Foo\n  variable A\ninterface Bar\n  method M\ntype Al\ntype Celsius\nstruct Gen\n  variable x\ntype Fn",
    );
    names(
        "package a\n\nconst C = 1\nvar v int\nvar w, z = 1, 2\nconst (\n\tA = iota\n\tB\n\t_\n)\nvar (\n\tx int\n\ty = 2\n)\n",
        "constant C\nvariable v\nconstant A\nconstant B\nvariable x\nvariable y",
    );
    names(
        "package a\n\nconst a, b = 1, 2\nconst (\n\tc, d, e = 1, 2, 3\n\tf = 4\n)\n",
        "constant f",
    );
    names(
        "package a\n\ntype (\n\tX struct{}\n\tY interface{}\n)\n",
        "struct X\ninterface Y",
    );
    names(
        "package a\n\nfunc f() {\n\tconst local = 1\n\tvar x int\n\ttype T struct{}\n\tg := func() {}\n\tg()\n}\n",
        "function f\n  struct T",
    );
}

#[test]
fn methods_are_called_after_the_receiver() {
    let owner = |receiver: &str, owner: &str| {
        names(
            &format!("package a\n\nfunc {receiver} P() {{}}\n"),
            &format!("method {owner}P"),
        )
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
        &[
            ("definition", "Y interface {\n\t\tM()\n\t}"),
            ("signature", "Y interface"),
            ("body", "\t\tM()"),
        ],
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
        &[
            ("definition", "const C int = 1"),
            ("signature", "const C int"),
            ("body", "1"),
        ],
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
        &[
            ("definition", "type A = int"),
            ("signature", "type A"),
            ("body", "int"),
        ],
    );
    parts(
        "package a\n\nfunc asm(x int) int\n",
        "asm",
        &[
            ("definition", "func asm(x int) int"),
            ("signature", "func asm(x int) int"),
        ],
    );
}

#[test]
fn fragments() {
    check_fragment(
        FILE,
        "// D\nfunc (w *W) P() {}",
        None,
        &[("method W::P", "// D\nfunc (w *W) P() {}")],
    );
    check_fragment(
        FILE,
        "type Foo struct {\n\tA, B int\n}",
        None,
        &[("struct Foo", "type Foo struct {\n\tA, B int\n}")],
    );
    check_fragment(
        FILE,
        "Foo struct {\n\tA, B int\n}",
        None,
        &[("struct Foo", "Foo struct {\n\tA, B int\n}")],
    );
    check_fragment(
        FILE,
        "func F() {}\n",
        Some(SegmentKind::Struct),
        &[("function F", "func F() {}")],
    );
}

#[test]
fn roles_errors_comments() {
    check_roles(FILE, "x := `a\n\n  b`\n/* d\n*/\ny\n", None, "c F F c d3 c");
    check_errors(
        FILE,
        "package a\n\nfunc f() {\n",
        &["20: `{` is never closed"],
    );
    check_errors(
        FILE,
        "package a\n\nfunc f() { x := }\n",
        &["26: missing identifier"],
    );
    check_errors(
        FILE,
        "package a\n\nfunc f() {} func g() {}\n",
        &["22: missing end of line"],
    );
    check_errors(FILE, "package a\n\ntype A struct {\n\tx int\n}", &[]);
    check_comments(
        FILE,
        "package a // x\n\n/* y */\nvar s = \"// no\"\n",
        &["// x", "/* y */"],
    );
}

#[test]
fn a_line_ends_what_may_end() {
    // Each ends too early at `‸`.
    let comma = |body: &str| check_mark(body, "missing `,` at the end of the line");
    let early =
        |body: &str, before: &str| check_mark(body, &format!("unexpected end of line{before}"));
    let fine = |body: &str| check_errors(FILE, &format!("package a\n\n{body}\n"), &[]);
    comma("var x = []int{\n\t1,\n\t2‸\n}");
    comma("var x = [][]int{\n\t{\n\t\t1,\n\t}‸ // one\n}");
    comma("var x = f(\n\t1,\n\t2‸ /* two\n\t*/)");
    comma("var x = f(func() {\n\t}‸\n)");
    comma("func f(\n\ta int‸\n) {\n}");
    comma("func f[\n\tT any‸\n](a T) {\n}");
    comma("func f() (\n\ta int‸\n) {\n}");
    comma("var x A[\n\tint‸\n]");
    early("var x = (1‸\n)", " before `)`");
    early("var x = a[1‸\n]", " before `]`");
    early("var x = f(a‸\n\t.b)", "");
    early("type A‸\n\tint", "");
    fine("var x = []int{\n\t1,\n\t2, // two\n}\nvar y = []int{1,\n\t2}\nvar z = []int{\n}");
    fine(
        "var x = f(\n\t1,\n\t`\n`,\n\tfunc() {\n\t\tg()\n\t},\n)\nvar y = (\n1 +\n\t2)\nvar z = a.\n\tb",
    );
    fine("import (\n\t\"a\"\n)\n\nconst (\n\tA = 1\n)\n\nvar (\n\tx int\n)\n\ntype (\n\tB int\n)");
    fine(
        "type A struct {\n\tB\n\tx, y int // z\n}\n\ntype C interface {\n\tm()\n\t~int |\n\t\t~string\n}",
    );
}

#[test]
fn a_body_begins_on_the_line_of_its_header() {
    let early = |body: &str| check_mark(body, "unexpected end of line before `{`");
    let inside = |body: &str| early(&format!("func f() {{\n{body}\n}}"));
    let fine = |body: &str| {
        check_errors(
            FILE,
            &format!("package a\n\nfunc f() {{\n{body}\n}}\n"),
            &[],
        )
    };
    early("func f()‸\n{\n}");
    early("// F\nfunc (a A) f() int‸ // b\n{\n}");
    inside("if a‸ // b\n{\n}");
    inside("if a {\n} else if b‸\n{\n}");
    inside("for i := range a‸\n{\n}");
    inside("for i := 0; i < 1; i++‸\n{\n}");
    inside("switch a‸\n{\ncase 1:\n}");
    inside("switch a := b.(type)‸\n{\ncase int:\n}");
    inside("f := func()‸\n{\n}");
    // Nothing that may end a statement is before these.
    fine("for\n{\n}\nselect\n{\ncase <-a:\n\tb()\ndefault:\n}\nif a {\n} else\n{\n}\nswitch\n{\n}");
    fine("for i := 0;\ni < 1;\ni++ {\n}\n{\n\ta()\n}\nb:\n\tfor {\n\t\tbreak b\n\t}\n\treturn");
}

/// Checks that a file with this has this one error, at `‸`.
fn check_mark(body: &str, message: &str) {
    let source = format!("package a\n\n{body}\n");
    let offset = source.find('‸').unwrap();
    check_errors(
        FILE,
        &source.replace('‸', ""),
        &[&format!("{offset}: {message}")],
    );
}

#[test]
fn a_number_is_counted_up_behind_it() {
    check_errors(
        FILE,
        "package a\n\nfunc f() {\n\t++i\n\t--i\n}\n",
        &["23: unexpected `++`", "28: unexpected `--`"],
    );
    check_errors(
        FILE,
        "package a\n\nfunc f() {\n\ti++\n\ti--\n\tj = i - -1 + +k\n}\n",
        &[],
    );
}

#[test]
fn a_file_has_its_order() {
    let check = |source: &str, expected: &[&str]| check_errors(FILE, source, expected);
    check(
        "// a\npackage a\n\nimport \"b\"\nimport (\n\t\"c\"\n)\n\nvar x = 1\n\nfunc f()\n",
        &[],
    );
    check(
        "package a\n\nvar x = 1\n\nimport \"b\"\n",
        &["22: `import` behind another declaration"],
    );
    check("package a\npackage b\n", &["10: a second `package` clause"]);
    check(
        "import \"b\"\npackage a\n",
        &["11: `package` clause behind something else"],
    );
    check(
        "package a\n\nx := 1\nf()\n",
        &[
            "11: statement outside of a function",
            "18: statement outside of a function",
        ],
    );
    check("package a\n\nfunc f() {\n}\n;\n", &["24: unexpected `;`"]);
    // A piece of code, which is not compiled.
    check("x := 1\n", &["7: no `package` clause in the file"]);
    check("// nothing\n", &[]);
}

#[test]
fn what_the_parser_repaired_is_judged_no_further() {
    check_errors(
        FILE,
        "package a\n\nx := 1\n\nfunc f() {\n",
        &["28: `{` is never closed"],
    );
    check_errors(
        FILE,
        "package a\n\nfunc f() { x := }\n\nvar y = f(\n\t1\n)\n",
        &[
            "26: missing identifier",
            "43: missing `,` at the end of the line",
        ],
    );
}

#[test]
fn fallthrough_ends_a_case_with_another_below_it() {
    let check = |body: &str, expected: &[&str]| {
        let source = format!("package a\n\nfunc f() {{\n\tswitch x {{\n{body}\t}}\n}}\n");
        check_errors(FILE, &source, expected);
    };
    let wrong = |offset: usize| {
        format!("{offset}: `fallthrough` that does not end a case with another one below it")
    };
    check(
        "\tcase 1:\n\t\tg()\n\t\tfallthrough\n\tcase 2:\n\t}\n\tswitch {\n",
        &[],
    );
    check(
        "\tdefault:\n\t\tfallthrough // on\n\t\t// and on\n\tcase 2:\n",
        &[],
    );
    check(
        "\tcase 1:\n\t\tfallthrough\n\t\tg()\n\tcase 2:\n",
        &[&wrong(45)],
    );
    check("\tcase 1:\n\tcase 2:\n\t\tfallthrough\n", &[&wrong(54)]);
    check(
        "\tcase 1:\n\t\tif y {\n\t\t\tfallthrough\n\t\t}\n\tcase 2:\n",
        &[&wrong(55)],
    );
    check_errors(
        FILE,
        "package a\n\nfunc f() {\n\tswitch x.(type) {\n\tcase A:\n\t\tfallthrough\n\tcase B:\n\t}\n}\n",
        &[&wrong(52)],
    );
}

#[test]
fn fields_and_methods_of_a_type() {
    check_names(
        "a.go",
        "package a\n\ntype T struct {\n\tA int `json:\"a\"`\n\tb, c string\n\t*Other\n\tpkg.Named\n\tGen[int]\n\tin struct{ z int }\n}\n\ntype I interface {\n\tM(a int) error\n\tio.Reader\n\t~int | string\n}\n",
        "struct T\n  variable A\n  variable Other\n  variable Named\n  variable Gen\n  variable in\ninterface I\n  method M",
    );
    check_parts(
        "a.go",
        "package a\n\ntype T struct {\n\t// A is.\n\tA int `json:\"a\"` // one\n}\n",
        "T.A",
        &[
            ("comment", "// A is."),
            ("definition", "A int `json:\"a\"`"),
            ("signature", "A int `json:\"a\"`"),
            ("docstring", "// A is."),
        ],
    );
}
