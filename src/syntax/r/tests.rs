//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.R", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.R", source, path, expected);
}

#[test]
fn functions_and_variables() {
    names(
        "f <- function(x) x\ng = function(x, ...) {\n  h <- function() 1\n  h()\n}\nk <- \\(x) x\nLIMIT <- 3\nonce <<- 4\nprint.shop <- function(x, ...) x\nas.data.frame.shop <- function(x) x\n.onLoad <- function(libname, pkgname) NULL\n`%+%` <- function(a, b) a\nx$y <- 1\nnames(x) <- \"a\"\n5 -> z\nif (TRUE) under <- 1\n",
        "function f\nfunction g\nfunction k\nvariable LIMIT\nvariable once\nfunction print::shop\nfunction as.data.frame::shop\nfunction \".onLoad\"\nfunction %+%",
    );
}

#[test]
fn bodies_and_documents() {
    let source = "#' Says it.\n#' @export\nf <- function(x) {\n  # first\n  x\n}\n\n# note\nn <- c(\n  1\n)\ng <- function() 1\n";
    parts(
        source,
        "f",
        &[
            ("comment", "#' Says it."),
            ("comment", "#' @export"),
            ("definition", "f <- function(x) {\n  # first\n  x\n}"),
            ("signature", "f <- function(x)"),
            ("body", "  # first\n  x"),
            ("docstring", "#' Says it.\n#' @export"),
        ],
    );
    parts(
        source,
        "n",
        &[
            ("comment", "# note"),
            ("definition", "n <- c(\n  1\n)"),
            ("signature", "n"),
            ("body", "c(\n  1\n)"),
        ],
    );
    parts(
        source,
        "g",
        &[
            ("definition", "g <- function() 1"),
            ("signature", "g <- function()"),
            ("body", "1"),
        ],
    );
}

#[test]
fn lines_of_strings_stay() {
    check_roles(
        "a.R",
        "a <- \"x\n  y\"\nb <- r\"(\n  z)\"\n",
        None,
        "c F c F",
    );
}
