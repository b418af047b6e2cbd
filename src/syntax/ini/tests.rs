//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

#[test]
fn sections_and_keys() {
    check_names(
        "a.ini",
        "; Says it.\nroot = true\n[shop]\nopen = 1\nclosed: 2\nflag\nlog.level = 3\n\n[tool:till]\na = 1\n[*.py]\nb = 2\n[a.b]\nc = 3\n[odd \"x]\nhidden = 1\n[.d]\n[e] ; of [f]\n[*.[ch]]\n",
        "variable root\nstruct shop\n  variable open\n  variable closed\n  variable flag\n  variable log::level\nstruct \"tool:till\"\n  variable a\nstruct \"*.py\"\n  variable b\nstruct a::b\n  variable c\nstruct \".d\"\nstruct e\nstruct \"*.[ch]\"",
    );
}

#[test]
fn sections_of_git_are_named_as_git_has_them() {
    check_names(
        ".gitconfig",
        "[core]\n\teditor = vim\n[remote \"origin\"]\n\turl = a:b=c\n[branch \"a.b\"]\n\tmerge = d\n",
        "struct core\n  variable editor\nstruct remote::origin\n  variable url\nstruct branch::\"a.b\"\n  variable merge",
    );
}

#[test]
fn a_section_ends_before_the_comment_of_the_next() {
    let source = "# One.\n[a]\n# Two.\nb = 1\n# Three.\n\n# Four.\n[c]\n\n[d]\ne = 1\n";
    check_parts(
        "a.ini",
        source,
        "a",
        &[
            ("comment", "# One."),
            ("definition", "[a]\n# Two.\nb = 1\n# Three."),
            ("signature", "[a]"),
            ("body", "# Two.\nb = 1\n# Three."),
        ],
    );
    check_parts(
        "a.ini",
        source,
        "c",
        &[
            ("comment", "# Four."),
            ("definition", "[c]"),
            ("signature", "[c]"),
        ],
    );
    check_parts(
        "a.ini",
        source,
        "a.b",
        &[
            ("comment", "# Two."),
            ("definition", "b = 1"),
            ("signature", "b"),
            ("body", "1"),
        ],
    );
}

#[test]
fn deeper_lines_go_on_with_a_value() {
    let source = "[a]\nlist =\n    x = 1\n\n    # between\n    [y]\nnext = 2\r\n";
    check_parts(
        "setup.cfg",
        source,
        "a.list",
        &[
            ("definition", "list =\n    x = 1\n\n    # between\n    [y]"),
            ("signature", "list"),
            ("body", "x = 1\n\n    # between\n    [y]"),
        ],
    );
    check_parts(
        "setup.cfg",
        source,
        "a.next",
        &[
            ("definition", "next = 2"),
            ("signature", "next"),
            ("body", "2"),
        ],
    );
    check_roles("setup.cfg", source, None, "c c F _ c F c");
    check_names(
        "a.ini",
        "  [a]\n  b = 1\n  c = 2\n",
        "struct a\n  variable b\n  variable c",
    );
}

#[test]
fn a_backslash_goes_on_with_a_value() {
    let source = "[Service]\nExecStart=a \\\n  b=1 \\\n# between\n  e\nType=c\n  d=2\n";
    check_names(
        "a.service",
        source,
        "struct Service\n  variable ExecStart\n  variable Type\n  variable d",
    );
    check_parts(
        "a.service",
        source,
        "Service.ExecStart",
        &[
            ("definition", "ExecStart=a \\\n  b=1 \\\n# between\n  e"),
            ("signature", "ExecStart"),
            ("body", "a \\\n  b=1 \\\n# between\n  e"),
        ],
    );
    check_roles("a.service", source, None, "c c F F F c c");
}

#[test]
fn a_backslash_that_is_a_character_or_of_a_comment_ends_a_line() {
    let source = "[safe]\n\tdirectory = C:\\\\work\\\\\n\tother = a # was: b \\\n\tnext = \"c # d\" \\\n\te\n\tlast = f\n";
    check_names(
        ".gitconfig",
        source,
        "struct safe\n  variable directory\n  variable other\n  variable next\n  variable last",
    );
    // A unit has no comments behind values.
    check_names(
        "a.service",
        "[Service]\nA=b # c \\\nd=e\nF=g\\\\\nH=i\n",
        "struct Service\n  variable A\n  variable F\n  variable H",
    );
}

#[test]
fn a_header_ends_with_a_bracket() {
    check_errors(
        "a.ini",
        "[a]\nb = 1\n[c\n",
        &["10: the header of a section has no `]`"],
    );
    check_errors("a.ini", "\u{feff}[a]\nb\n", &[]);
}

#[test]
fn git_reads_no_value_that_is_left_open() {
    let errors = |source: &str, expected: &[&str]| check_errors(".gitconfig", source, expected);
    errors("[a]\n\tb = \"c\n", &["9: a quotation mark is left open"]);
    errors(
        "[a]\n\tb = C:\\dev\n",
        &["11: an escape that Git does not know"],
    );
    errors(
        "[a]\n\tb_c = 1\n",
        &["5: Git takes letters, digits and `-` for the name of a key"],
    );
    errors(
        "[a]\n\tb = \"c # \\\" \\\\ \\n\" # \"d \\x\n\te = f\\\n\"g\\\nh\"\n\ti-2\n; \"\n",
        &[],
    );
    check_errors("a.service", "[Service]\nA_b=\"c\\d\n", &[]);
    let header = "0: Git takes letters, digits, `-` and `.`, then a text in quotation marks";
    errors("[branch \"a]\n", &[header]);
    errors("[bra_nch]\n", &[header]);
    errors("[branch a]\n", &[header]);
    errors("[branch \"a\" \"b\"]\n", &[header]);
    errors("[branch \"a\\\"]b\"]\n[a.b-c]\n[core]\n", &[]);
}
