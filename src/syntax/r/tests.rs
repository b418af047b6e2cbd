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

#[test]
fn what_r_refuses_is_an_error() {
    let errors = |source: &str, expected: &[&str]| check_errors("a.R", source, expected);
    errors(
        "if (a) {\n}\nelse {\n}\n",
        &["11: unexpected `else`", "16: expected a new line or `;`"],
    );
    errors("{\n  if (a) {\n  }\n  else 1\n}\n", &[]);
    errors("a <- 3 4\n", &["7: expected a new line or `;`"]);
    errors(
        "f <- function() { x <- 1 return(x) }\n",
        &["25: expected a new line or `;`"],
    );
    errors("a <- 1; b <- 2 # c\n", &[]);
    errors("5x\n", &["1: expected a new line or `;`"]);
    errors("a <- x$\nb <- 1\n", &["6: expected a name on this line"]);
    errors("_x <- 1\n", &["0: no name begins with `_`"]);
    errors("a |> f(x = _)\n`if` <- 1\nx$`else`\n", &[]);
    errors("a <- \"\\d\"\n", &["6: unknown escape `\\d`"]);
    errors("a <- \"\\\\d \\u00e9 \\' \"\nb <- r\"(\\d)\"\n", &[]);
}
