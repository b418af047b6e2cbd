//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

const BUILD: &str = r#"load("//shop:defs.bzl", "shop_library")

package(default_visibility = ["//visibility:public"])

# What is sold.
cc_library(
    name = "shop",
    srcs = ["shop.cc"],  # one
)

shop_library(name = "till-test", deps = [":shop"])
native.filegroup(name = "img/a.png")
LIMIT = 1
[genrule(name = "each_" + x) for x in "ab"]
genrule(name = "put" + "together")
genrule(name = LIMIT)
exports_files(["a"])
def add(name):
    cc_test(name = "inside")
if LIMIT:
    cc_test(name = "branch")
"#;

#[test]
fn targets_are_named_beside_functions_and_variables() {
    let expected = "struct shop\nstruct till-test\nstruct \"img/a.png\"\nvariable LIMIT\nfunction add\nstruct branch";
    for file in [
        "BUILD",
        "BUILD.bazel",
        "third_party/zlib.BUILD.bazel",
        "defs.bzl",
        "a.star",
        "WORKSPACE",
        "MODULE.bazel",
        "Tiltfile",
    ] {
        let outline = grammar(file).outline(BUILD.as_bytes());
        let names = outline.symbols.iter();
        let names: Vec<String> = names
            .map(|symbol| format!("{} {}", symbol.kind, symbol.name))
            .collect();
        assert_eq!(names.join("\n"), expected, "{file}");
        assert!(outline.sound && grammar(file).errors(BUILD.as_bytes()).is_empty());
    }
}

/// The parser sees other letters there.
#[test]
fn a_name_that_is_no_text_is_none() {
    let outline = grammar("BUILD").outline(b"a(name = \"\xe9\")\nb(name = \"b\")  # \xe9\n");
    let names: Vec<&str> = outline.symbols.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["b"]);
}

#[test]
fn parts_of_a_target() {
    check_parts(
        "BUILD",
        BUILD,
        "shop",
        &[
            ("comment", "# What is sold."),
            (
                "definition",
                "cc_library(\n    name = \"shop\",\n    srcs = [\"shop.cc\"],  # one\n)",
            ),
            ("signature", "cc_library"),
        ],
    );
    check_parts(
        "a.bzl",
        "# Says it.\ndef add(a, b = 1):\n    \"\"\"Adds.\"\"\"\n    return a\n",
        "add",
        &[
            ("comment", "# Says it."),
            (
                "definition",
                "def add(a, b = 1):\n    \"\"\"Adds.\"\"\"\n    return a",
            ),
            ("signature", "def add(a, b = 1)"),
            ("body", "\"\"\"Adds.\"\"\"\n    return a"),
            ("docstring", "\"\"\"Adds.\"\"\""),
        ],
    );
}

/// Every word is one that the specification keeps, and that no statement of Starlark has.
#[test]
fn what_is_of_python_alone_is_an_error() {
    let errors = |source: &str, expected: &[&str]| check_errors("a.bzl", source, expected);
    errors("import os\n", &["0: Starlark has no `import`"]);
    errors("class A:\n    pass\n", &["0: Starlark has no `class`"]);
    errors(
        "def f():\n    with a as b:\n        yield 1\n",
        &[
            "13: Starlark has no `with`",
            "20: Starlark has no `as`",
            "34: Starlark has no `yield`",
        ],
    );
    errors("@a\ndef f():\n    pass\n", &["0: Starlark has no `@`"]);
    errors("x = a is b\n", &["6: Starlark has no `is`"]);
    errors("x = a ** 2\n", &["6: Starlark has no `**`"]);
    errors("f(a, **b)\ndef g(**c):\n    pass\n", &[]);
    let message = "two texts side by side: a comma or `+` is missing";
    errors(
        "x = [\n    \"a\" # one\n    \"b\",\n]\n",
        &[&format!("24: {message}")],
    );
    errors("x = (y := 1)\n", &["7: Starlark has no `:=`"]);
    // Those of one dialect or another.
    errors(
        "def f(a: int, *, b: str = \"\") -> None:\n    while a:\n        a = f\"{b}\"\n    return lambda: a\n",
        &[],
    );
    assert!(!grammar("a.bzl").errors(b"x = (\n").is_empty());
}
