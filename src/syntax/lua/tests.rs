//! Tables of what the language gives.

use crate::syntax::tree::tests::*;

fn names(source: &str, expected: &str) {
    check_names("a.lua", source, expected);
}

fn parts(source: &str, path: &str, expected: &[(&str, &str)]) {
    check_parts("a.lua", source, path, expected);
}

#[test]
fn functions_and_variables() {
    names(
        "local M = {}\nlocal LIMIT = 1\nlocal a, b = 1, 2\nlocal later\nfunction M.run(x) return x end\nfunction M:step()\n  local function inner() end\n  local x = 1\nend\nlocal function helper() end\nfunction global() end\nM.handler = function(x) return x end\nlocal cb = function() end\nM.config = { a = 1 }\nM.sub.deep = 2\nreturn M\n",
        "variable M\nvariable LIMIT\nvariable later\nfunction M::run\nmethod M::step\n  function inner\nfunction helper\nfunction global\nfunction M::handler\nfunction cb\nvariable M::config\nvariable M.sub::deep",
    );
}

#[test]
fn bodies_end_with_a_word() {
    let source = "--- Says it.\n-- More.\nfunction f(x)\n  -- first\n  return x\nend\n\nlocal function g() end\n\nlocal n = 1\n";
    parts(
        source,
        "f",
        &[
            ("comment", "--- Says it."),
            ("comment", "-- More."),
            ("definition", "function f(x)\n  -- first\n  return x\nend"),
            ("signature", "function f(x)"),
            ("body", "  -- first\n  return x"),
            ("docstring", "--- Says it."),
        ],
    );
    parts(
        source,
        "g",
        &[
            ("definition", "local function g() end"),
            ("signature", "local function g()"),
            ("body", ""),
        ],
    );
    parts(
        source,
        "n",
        &[
            ("definition", "local n = 1"),
            ("signature", "local n"),
            ("body", "1"),
        ],
    );
}

#[test]
fn reserved_words_are_no_names() {
    check_errors(
        "a.lua",
        "local t = {\n  end,\n}\n",
        &["14: unexpected `end`"],
    );
    check_errors("a.lua", "f(end)\n", &["2: unexpected `end`"]);
    check_errors(
        "a.lua",
        "t['end'] = 1\ngoto done\n::done::\nlocal ended = 1\n",
        &[],
    );
}
