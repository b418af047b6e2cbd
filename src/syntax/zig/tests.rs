//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.zig", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.zig", source, path, expected);
}

#[test]
fn functions_and_types() {
    names(
        "const std = @import(\"std\");\npub fn main() !void { const x = 1; }\npub const S = struct {\n    x: u32,\n    pub fn init() S { return .{}; }\n    const Inner = enum { a, b };\n};\nvar g: u32 = 0;\ntest \"t\" { const y = 1; }\n",
        "variable std\nfunction main\nstruct S\n  variable x\n  method init\n  enum Inner\nvariable g",
    );
}

#[test]
fn documentation_and_bodies() {
    let source = "/// Says it.\npub fn f(a: u8) u8 {\n    return a;\n}\n\npub const S = struct {\n    x: u32,\n};\n";
    parts(
        source,
        "f",
        &[
            ("comment", "/// Says it."),
            ("definition", "pub fn f(a: u8) u8 {\n    return a;\n}"),
            ("signature", "pub fn f(a: u8) u8"),
            ("body", "    return a;"),
            ("docstring", "/// Says it."),
        ],
    );
    parts(
        source,
        "S",
        &[
            ("definition", "pub const S = struct {\n    x: u32,\n};"),
            ("signature", "pub const S = struct"),
            ("body", "    x: u32,"),
        ],
    );
}

#[test]
fn an_assignment_is_no_value() {
    let message = "an assignment is no value: a comma is missing";
    check_errors(
        "a.zig",
        "const x = .{\n    .name = \"app\"\n    .root = b.path(\"a\"),\n};\n",
        &[&format!("25: {message}")],
    );
    check_errors("a.zig", "const x = .{ .a = 1, .b = .{ .c = 2 } };\n", &[]);
}

#[test]
fn keywords_are_no_names() {
    check_errors(
        "a.zig",
        "fn f() void {\n    orelse;\n}\n",
        &["18: unexpected `orelse`"],
    );
    check_errors(
        "a.zig",
        "fn f() void {\n    g(catch);\n}\n",
        &["20: unexpected `catch`"],
    );
    check_errors(
        "a.zig",
        "fn f() void {\n    @\"else\" = a.await catch b orelse return;\n}\n",
        &[],
    );
}
