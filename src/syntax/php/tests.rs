//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.php", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.php", source, path, expected);
}

#[test]
fn types_and_functions() {
    names(
        "<?php\ndeclare(strict_types=1);\nnamespace A\\B;\nuse X\\Y;\nconst LIMIT = 1;\nabstract class C extends D implements I {\n    use T;\n    const A = 1, B = 2;\n    public const X = 3;\n    private ?int $p = 1;\n    public $a, $b;\n    public function m(int $x): ?string { return new class { function z() {} }; }\n    abstract protected function n();\n}\ninterface I { public function f(); }\ntrait T { function t() {} }\nenum E: string { case A = 'a'; function label() {} }\nfunction f() { function inner() {} }\nif (!function_exists('g')) {\n    function g() {}\n}\n$x = 1;\n",
        "constant LIMIT\nclass C\n  constant X\n  variable $p\n  method m\n  method n\ninterface I\n  method f\ntrait T\n  method t\nenum E\n  method label\nfunction f\n  function inner\nfunction g\nvariable $x",
    );
    names(
        "<html>\n<?php function row() { ?>\n  <p>x</p>\n<?php } ?>\n<?= $x ?>\n<?php\nclass K {\n}\n?>\n</html>\n",
        "function row\nclass K",
    );
    names(
        "<?php\nnamespace A { class B {} }\nnamespace { class C {} }\n",
        "module A\n  class B\nclass C",
    );
}

#[test]
fn attributes_and_documentation() {
    let source = "<?php\n\nclass A\n{\n    /** Doc. */\n    #[Pure]\n    public function m(): int\n    {\n        return 1;\n    }\n\n    public int $n = 1;\n}\n";
    parts(
        source,
        "A.m",
        &[
            ("comment", "/** Doc. */"),
            ("decorator", "#[Pure]"),
            (
                "definition",
                "public function m(): int\n    {\n        return 1;\n    }",
            ),
            ("signature", "public function m(): int"),
            ("body", "        return 1;"),
            ("docstring", "/** Doc. */"),
        ],
    );
    parts(
        source,
        "A.$n",
        &[
            ("definition", "public int $n = 1;"),
            ("signature", "public int $n"),
            ("body", "1"),
        ],
    );
}

#[test]
fn a_piece_needs_no_tag() {
    let roles = grammar("a.php").line_roles(b"$x = <<<A\n  one\n  A;\nf();\n", None);
    use crate::text::indent::LineRole::{Code, Frozen};
    assert_eq!(roles, [Code, Frozen, Frozen, Code]);
    let outline = grammar("a.php").fragment_outline(
        b"public function m() {}\n",
        Some(crate::syntax::SegmentKind::Class),
    );
    let names: Vec<&str> = outline.symbols.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["m"]);
}

#[test]
fn what_ends_a_block_is_no_constant() {
    check_errors(
        "a.php",
        "<?php\nfunction a() {\n  endif;\n}\nENDWHILE;\n",
        &["23: unexpected `endif`", "32: unexpected `ENDWHILE`"],
    );
    check_errors(
        "a.php",
        "<p><?php endforeach; ?></p>\n",
        &["9: unexpected `endforeach`"],
    );
    check_errors(
        "a.php",
        "<?php\nclass B { function endif() {} const ENDIF = 1; }\n$x->endif();\nB::endif;\nfoo(endif: 1);\nif ($x): y(); endif;\n",
        &[],
    );
}
