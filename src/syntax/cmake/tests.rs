//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("CMakeLists.txt", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("CMakeLists.txt", source, path, expected);
}

#[test]
fn functions_variables_and_targets() {
    names(
        "cmake_minimum_required(VERSION 3.10)\nset(SOURCES a.c)\nSET(OTHER 1)\noption(WITH_X \"x\" ON)\nfunction(shop_add name)\n  set(inner 1)\nendfunction()\nmacro(shop_log)\nendmacro(shop_log)\nadd_library(shop ${SOURCES})\nADD_EXECUTABLE(till\n  till.c\n)\nadd_custom_target(docs)\nadd_library(Shop::Shop ALIAS shop)\nset(${PREFIX}_X 1)\nif(WIN32)\n  set(UNDER_A_CONDITION 1)\nendif()\ntarget_link_libraries(till shop)\n",
        "variable SOURCES\nvariable OTHER\nvariable WITH_X\nfunction shop_add\nfunction shop_log\nstruct shop\nstruct till\nstruct docs",
    );
}

#[test]
fn a_name_with_dots_is_that_of_what_is_in_something() {
    names("set(a.b 1)\n", "variable a::b");
}

#[test]
fn bodies_end_with_a_word() {
    let source = "# Says it.\nfunction(f x)\n  # first\n  message(\"a\n b\")\nendfunction()\n\nmacro(g)\nendmacro()\n";
    parts(
        source,
        "f",
        &[
            ("comment", "# Says it."),
            (
                "definition",
                "function(f x)\n  # first\n  message(\"a\n b\")\nendfunction()",
            ),
            ("signature", "function(f x)"),
            ("body", "  # first\n  message(\"a\n b\")"),
        ],
    );
    parts(
        source,
        "g",
        &[
            ("definition", "macro(g)\nendmacro()"),
            ("signature", "macro(g)"),
            ("body", ""),
        ],
    );
}

#[test]
fn lines_of_arguments_stay() {
    check_roles(
        "a.cmake",
        "set(A \"x\n  y\")\nset(B [[\n  z]])\nset(C\n  d)\n",
        None,
        "c F c F c c",
    );
}

#[test]
fn a_block_needs_its_end() {
    let grammar = grammar("a.cmake");
    assert!(!grammar.errors(b"function(f)\n").is_empty());
    assert!(!grammar.errors(b"set(A\n").is_empty());
}

#[test]
fn what_ends_nothing_is_an_error() {
    let errors = |source: &str, expected: &[&str]| check_errors("a.cmake", source, expected);
    errors("set(A 1)\nendif()\n", &["9: unexpected `endif`"]);
    errors(
        "if(A)\n  endforeach()\nendif()\n",
        &["8: unexpected `endforeach`"],
    );
    errors("ELSE()\n", &["0: unexpected `ELSE`"]);
    errors(
        "if(A)\nelse()\nelse()\nendif()\n",
        &["13: a branch behind the last one"],
    );
    errors("set(A 1) set(B 2)\n", &["9: expected a new line"]);
    errors(
        "if(A) # a\n  set(B [[\n]]) #[[b]]\nelseif(C)\nelse()\nendif()\nset(D\n)\n",
        &[],
    );
}
