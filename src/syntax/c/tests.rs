//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.c", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.c", source, path, expected);
}

#[test]
fn definitions() {
    names(
        "#include <stdio.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define LIMIT 10\ntypedef struct node { int x; struct node *next; } node_t;\ntypedef int (*cb)(int);\ntypedef unsigned int uint;\nstruct point { int x, y; int z; };\nunion u { int a; };\nenum color { RED, GREEN };\nstatic int count = 0;\nint a, b;\nextern const char *names[];\nchar *dup(const char *s) { struct local { int q; }; int x = 1; return 0; }\nint (*get(void))(int) { return 0; }\nstruct point origin = { 0, 0 };\nstruct forward;\n#ifdef X\nvoid onx(void) {}\n#else\nvoid offx(void) {}\n#endif\n",
        "function MAX\nconstant LIMIT\nstruct node_t\n  variable x\n  variable next\ntype cb\ntype uint\nstruct point\n  variable z\nstruct u\n  variable a\nenum color\nvariable count\nvariable names\nfunction dup\nfunction get\nvariable origin\nfunction onx\nfunction offx",
    );
}

#[test]
fn a_name_means_what_is_written_not_what_is_announced() {
    names(
        "int f(int);\nint *g(void);\nint f(int x) { return x; }\n",
        "function g\nfunction f",
    );
}

#[test]
fn documentation_and_bodies() {
    let source = "/* licence */\n\n/** Doc. */\nstatic int\nadd(int a, int b)\n{\n\treturn a + b;\n}\n\nstruct s {\n\tint x;\n};\n\n#define LIMIT 10\nint n = 1;\n";
    parts(
        source,
        "add",
        &[
            ("comment", "/** Doc. */"),
            (
                "definition",
                "static int\nadd(int a, int b)\n{\n\treturn a + b;\n}",
            ),
            ("signature", "static int\nadd(int a, int b)"),
            ("body", "\treturn a + b;"),
            ("docstring", "/** Doc. */"),
        ],
    );
    parts(
        source,
        "s",
        &[
            ("definition", "struct s {\n\tint x;\n};"),
            ("signature", "struct s"),
            ("body", "\tint x;"),
        ],
    );
    parts(
        source,
        "LIMIT",
        &[
            ("definition", "#define LIMIT 10"),
            ("signature", "#define LIMIT"),
            ("body", "10"),
        ],
    );
    parts(
        source,
        "n",
        &[
            ("definition", "int n = 1;"),
            ("signature", "int n"),
            ("body", "1"),
        ],
    );
}
