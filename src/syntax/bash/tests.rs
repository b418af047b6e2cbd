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

/// Returns what is wrong with a file, in words.
fn errors(source: &str) -> Vec<String> {
    let errors = grammar("a.sh").errors(source.as_bytes());
    errors.into_iter().map(|error| error.message).collect()
}

/// Each is refused by `bash -n`.
#[test]
fn what_the_shell_refuses_is_an_error() {
    for (source, expected) in [
        ("f() {\n  a\n}\nfi\n", "unexpected `fi`"),
        ("a\ndone\n", "unexpected `done`"),
        ("a\n}\n", "unexpected `}`"),
        ("f() {\n  # later\n}\n", "no command after `{`"),
        ("if a; then\n  # later\nfi\n", "no command after `then`"),
        ("if a; then\n  b\nelse\nfi\n", "no command after `else`"),
        (
            "if a; then\n  b\nelif c; then\nelse\n  d\nfi\n",
            "no command after `then`",
        ),
        ("while a; do\ndone\n", "no command after `do`"),
        ("if a; then b; fi ;;\n", "unexpected `;;`"),
    ] {
        assert_eq!(errors(source), [expected], "{source}");
    }
}

/// Each is taken by `bash -n`.
#[test]
fn what_the_shell_takes_is_none() {
    for source in [
        "echo fi done }\n",
        "if a; then b; elif c; then d; else e; fi\n",
        "case $x in\n  a) ;;\n  b) c ;;\nesac\n",
        "((i++))\nfor ((i = 0; i < 3; i++)); do :; done\n",
        "find . -exec echo {} \\;\n",
        "f() { :; }\n( a )\n",
        "while read -r x; do echo \"$x\"; done <<< \"$y\"\n",
        "IFS=\"$a\"\nfor b in c; do\n  d\ndone\n",
    ] {
        assert_eq!(errors(source), [""; 0], "{source}");
    }
}

#[test]
fn a_here_document_ends_with_a_word_alone() {
    let ends = |source: &str| check_errors("a.sh", source, &[]);
    let open = |source: &str, at: usize| {
        let expected = format!("{at}: a here-document that nothing ends");
        check_errors("a.sh", source, &[&expected]);
    };
    ends("cat <<EOF\nx\nEOF\nb\n");
    ends("cat <<-EOF\n\tx\n\tEOF\nb\n");
    ends("a=$(cat <<EOF\nx\nEOF\n)\n");
    open("cat <<EOF\nx\n  EOF\nb\n", 4);
    open("cat <<EOF\nx\nEOF \nb\n", 4);
    open("cat <<EOF\nx\nEOF;\nb\n", 4);
    open("cat <<-EOF\nx\n  EOF\nb\n", 4);
}
