//! Tables of what the languages give.

use crate::syntax::tree::tests::*;

const STYLE: &str = "/* Of the shop. */\n\n@charset \"utf-8\";\n:root { --accent: #0af; }\n\n/* A card. */\n.card,\n.card > a[href=\"/x\"]:hover {\n  /* Above. */\n  color: red; /* beside */\n  background: url(a;b.png) ;\n  *zoom: 1;\n  display: -webkit-box;\n  display: flex\n}\n\n@media (min-width: 60em)\n  and print {\n  .card { margin: 0 }\n  @supports (a: b) {}\n}\n@font-face { font-family: x }\n.md\\:x { color: red }\n@keyframes spin { from { left: 0 } 50.5% { left: 1px } }\n";

#[test]
fn rules_and_their_declarations() {
    check_names(
        "a.css",
        STYLE,
        "struct \":root\"\n  variable --accent\n\
         struct \".card, .card > a[href='/x']:hover\"\n  variable color\n  variable background\n  variable \"*zoom\"\n  variable display\n  variable display\n\
         struct \"@media (min-width: 60em) and print\"\n  struct \".card\"\n    variable margin\n  struct \"@supports (a: b)\"\n\
         struct \"@font-face\"\n  variable font-family\n\
         struct \".md:x\"\n  variable color\n\
         struct \"@keyframes spin\"\n  struct from\n    variable left\n  struct \"50.5%\"\n    variable left",
    );
    check_comments(
        "a.css",
        STYLE,
        &[
            "/* Of the shop. */",
            "/* A card. */",
            "/* Above. */",
            "/* beside */",
        ],
    );
}

#[test]
fn parts_of_rules_and_declarations() {
    let source = "/* A. */\n/* B. */\na{\n  /* C. */\n  color : red ;\n\n  left: calc(1px\n    + 2px);\n}\nb { top: 0; left: 1 }\nc {}\n";
    let parts =
        |path: &str, expected: &[(&str, &str)]| check_parts("a.css", source, path, expected);
    parts(
        "a",
        &[
            ("comment", "/* A. */"),
            ("comment", "/* B. */"),
            (
                "definition",
                "a{\n  /* C. */\n  color : red ;\n\n  left: calc(1px\n    + 2px);\n}",
            ),
            ("signature", "a"),
            (
                "body",
                "  /* C. */\n  color : red ;\n\n  left: calc(1px\n    + 2px);",
            ),
            ("docstring", "/* B. */"),
        ],
    );
    parts(
        "a.color",
        &[
            ("comment", "/* C. */"),
            ("definition", "color : red ;"),
            ("signature", "color"),
            ("body", "red"),
            ("docstring", "/* C. */"),
        ],
    );
    parts(
        "a.left",
        &[
            ("definition", "left: calc(1px\n    + 2px);"),
            ("signature", "left"),
            ("body", "calc(1px\n    + 2px)"),
        ],
    );
    parts(
        "b",
        &[
            ("definition", "b { top: 0; left: 1 }"),
            ("signature", "b"),
            ("body", "top: 0; left: 1"),
        ],
    );
    parts(
        "b.left",
        &[
            ("definition", "left: 1"),
            ("signature", "left"),
            ("body", "1"),
        ],
    );
    parts(
        "c",
        &[("definition", "c {}"), ("signature", "c"), ("body", "")],
    );
}

#[test]
fn what_scss_adds() {
    check_names(
        "a.scss",
        "@use \"x\" as y;\n// $no: 1; {\n$gap: 4px !default;\n$map: (a: b, c: (d: e));\n%base { color: $gap }\n@mixin button($a, $b: 1) {\n  color: $a;\n  &:hover { left: 0; }\n  .icon-#{$b} { left: 1 }\n  @include more { top: 0 }\n  @if $a == 1 { bottom: 0 } @else { bottom: 1 }\n}\n@function double($n) { @return $n * 2; }\n.a { font: { family: x; size: 1 } .b & { left: url(//x.y/z) } }\n",
        "variable $gap\nvariable $map\nstruct \"%base\"\n  variable color\n\
         function button\n  variable color\n  struct \"&:hover\"\n    variable left\n  struct \".icon-#{$b}\"\n    variable left\n  struct \"@include more\"\n    variable top\n\
         function double\n\
         struct \".a\"\n  struct \"font:\"\n    variable family\n    variable size\n  struct \".b &\"\n    variable left",
    );
    check_errors("a.scss", "// it's {\n.a { b: c }\n", &[]);
    check_errors("a.scss", ".a { b: #{c }\n", &["3: `{` is never closed"]);
}

#[test]
fn what_less_adds() {
    check_names(
        "a.less",
        "@import (reference) \"x\";\n// it's {\n@gap: 4px;\n.mixin(@a; @b: 1) when (@a > 1) {\n  .inner();\n  color: @a;\n}\n.@{name}-x { left: ~\"@{gap}\" }\n@plugin \"y\";\n@rules: { top: 0 }\n",
        "variable \"@gap\"\nstruct \".mixin(@a; @b: 1) when (@a > 1)\"\n  variable color\nstruct \".@{name}-x\"\n  variable left\nstruct \"@rules:\"\n  variable top",
    );
}

#[test]
fn a_piece_of_a_rule_has_names() {
    check_fragment(
        "a.css",
        "/* C. */\ncolor: red;\n",
        Some(crate::syntax::SegmentKind::Struct),
        &[("variable color", "/* C. */\ncolor: red;")],
    );
}
