//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.proto", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.proto", source, path, expected);
}

#[test]
fn messages_and_services() {
    names(
        "syntax = \"proto3\";\npackage a.b;\nmessage M {\n  string name = 1;\n  message Inner { int32 x = 1; }\n  oneof o { string a = 3; int32 b = 4; }\n  map<string, int32> m = 5;\n  enum E { A = 0; }\n}\nenum Top { X = 0; }\nservice S {\n  rpc Get(M) returns (M);\n  rpc Put(M) returns (M) { option x = 1; }\n}\n",
        "struct M\n  variable name\n  struct Inner\n    variable x\n  variable a\n  variable b\n  variable m\n  enum E\nenum Top\ninterface S\n  method Get\n  method Put",
    );
}

#[test]
fn documentation_and_bodies() {
    let source = "// Says it.\nmessage M {\n  // One.\n  string name = 1;\n}\n";
    parts(
        source,
        "M",
        &[
            ("comment", "// Says it."),
            (
                "definition",
                "message M {\n  // One.\n  string name = 1;\n}",
            ),
            ("signature", "message M"),
            ("body", "  // One.\n  string name = 1;"),
            ("docstring", "// Says it."),
        ],
    );
    parts(
        source,
        "M.name",
        &[
            ("comment", "// One."),
            ("definition", "string name = 1;"),
            ("signature", "string name = 1"),
            ("docstring", "// One."),
        ],
    );
}
