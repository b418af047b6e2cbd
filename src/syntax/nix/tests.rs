//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.nix", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.nix", source, path, expected);
}

#[test]
fn bindings_are_named_by_their_paths() {
    names(
        "{ lib, pkgs ? 1, ... }:\nlet\n  a = 1;\n  f = x: y: x + y;\n  inherit (lib) b;\nin {\n  options.shop.till = { enable = 1; };\n  meta = rec { license = 2; \"q r\" = 3; };\n  ${a} = { hidden = 1; };\n}\n",
        "variable a\nfunction f\nstruct options.shop::till\n  variable enable\nstruct meta\n  variable license\n  variable \"q r\"",
    );
}

#[test]
fn what_a_function_has_by_let_is_in_it() {
    names("{ f = x: let y = 1; in y; }\n", "function f\n  variable y");
}

#[test]
fn bodies_and_comments() {
    let source = "{\n  # Says it.\n  a = {\n    b = 1;\n  };\n\n  /* More. */\n  c.d = f ''\n    x\n  '';\n}\n";
    parts(
        source,
        "a",
        &[
            ("comment", "# Says it."),
            ("definition", "a = {\n    b = 1;\n  };"),
            ("signature", "a"),
            ("body", "    b = 1;"),
        ],
    );
    parts(
        source,
        "d",
        &[
            ("comment", "/* More. */"),
            ("definition", "c.d = f ''\n    x\n  '';"),
            ("signature", "c.d"),
            ("body", "f ''\n    x\n  ''"),
        ],
    );
}

#[test]
fn lines_of_strings_stay() {
    check_roles(
        "a.nix",
        "a = ''\n  x\n'';\nb = \"\n\";\n",
        None,
        "c F F c F",
    );
}

#[test]
fn a_binding_stands_in_a_set() {
    check_fragment(
        "a.nix",
        "a = 1;\nb.c = { };\n",
        None,
        &[("variable a", "a = 1;"), ("struct c", "b.c = { };")],
    );
    assert!(!grammar("a.nix").errors(b"{ a = 1 }\n").is_empty());
}
