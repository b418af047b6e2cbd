//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.sh", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.sh", source, path, expected);
}

#[test]
fn functions_and_variables() {
    names(
        "#!/usr/bin/env bash\nset -e\nLIMIT=1\nreadonly X=2\nexport Y=\"a\"\ndeclare -a arr=(1 2)\nfunction f() {\n  local z=1\n  w=2\n  inner() { echo; }\n}\nfunction g { echo; }\nh() (\n  echo\n)\nif true; then\n  cond() { :; }\nfi\n",
        "variable LIMIT\nvariable X\nvariable Y\nvariable arr\nfunction f\n  function inner\nfunction g\nfunction h\nfunction cond",
    );
}

#[test]
fn bodies_and_documents() {
    let source = "# Says it.\nk() {\n  cat <<EOF\ntext\n  more\nEOF\n}\n\nN=1\n";
    parts(
        source,
        "k",
        &[
            ("comment", "# Says it."),
            ("definition", "k() {\n  cat <<EOF\ntext\n  more\nEOF\n}"),
            ("signature", "k()"),
            ("body", "  cat <<EOF\ntext\n  more\nEOF"),
        ],
    );
    parts(
        source,
        "N",
        &[("definition", "N=1"), ("signature", "N"), ("body", "1")],
    );
    use crate::text::indent::LineRole::{Code, Frozen};
    let roles = grammar("a.sh").line_roles(b"cat <<EOF\n  text\nEOF\nx='\n'\n", None);
    assert_eq!(roles, [Code, Frozen, Frozen, Code, Frozen]);
}
