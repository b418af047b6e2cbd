//! Small queries, each beside tree-sitter's own reading of it.

use std::collections::BTreeSet;

use tree_sitter::{Language, Query, QueryCursor, StreamingIterator, Tree};

use super::{find_matches, read_query};
use crate::syntax::Excess;
use crate::syntax::tree::parse;

fn javascript() -> Language {
    tree_sitter_javascript::LANGUAGE.into()
}

fn tree_of(source: &str) -> Tree {
    parse(&javascript(), source.as_bytes()).expect("a test's source is small")
}

/// Returns each match as its captures, `name=text` in the order of the text.
fn ours(query: &str, source: &str) -> Vec<String> {
    let patterns = read_query(&javascript(), query).expect("a test's query is right");
    let names = patterns.capture_names();
    let mut found = Vec::new();
    find_matches(
        &patterns,
        &tree_of(source),
        source.as_bytes(),
        |_, captured| {
            let captured = captured.iter().map(|&(name, node)| {
                (node.start_byte(), &*names[name], &source[node.byte_range()])
            });
            found.push(told(captured.collect()));
        },
    )
    .expect("a test's source is small");
    found
}

/// Returns the same as tree-sitter has it.
fn theirs(query: &str, source: &str) -> Vec<String> {
    let query = Query::new(&javascript(), query).expect("tree-sitter takes the query");
    let tree = tree_of(source);
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&query, tree.root_node(), source.as_bytes());
    let mut found = Vec::new();
    while let Some(it) = matches.next() {
        let captured = it.captures().iter().map(|it| {
            let name = query.capture_names()[usize::try_from(it.index).expect("it is small")];
            (it.node.start_byte(), name, &source[it.node.byte_range()])
        });
        found.push(told(captured.collect()));
    }
    found
}

fn told(mut captured: Vec<(usize, &str, &str)>) -> String {
    captured.sort_unstable();
    let words: Vec<String> = captured
        .iter()
        .map(|(_, name, text)| format!("{name}={text}"))
        .collect();
    words.join(" ")
}

fn check(query: &str, source: &str, expected: &[&str]) {
    let found = ours(query, source);
    assert_eq!(found, expected, "{query}\n{source}");
    let (ours, theirs): (BTreeSet<_>, BTreeSet<_>) = (
        found.into_iter().collect(),
        theirs(query, source).into_iter().collect(),
    );
    assert_eq!(ours, theirs, "{query}\n{source}");
}

#[test]
fn children_are_found_in_all_ways() {
    check("(array (number) @n)", "[1, 2]", &["n=1", "n=2"]);
    check(
        "(array (number) @m (number) @n)",
        "[1, 2, 3]",
        &["m=1 n=2", "m=1 n=3", "m=2 n=3"],
    );
    check("(array (_) @n)", "[1, a]", &["n=1", "n=a"]);
    check("(array _ @n)", "[1]", &["n=[", "n=1", "n=]"]);
    check("(array \",\" @n)", "[1, 2]", &["n=,"]);
    check(
        "(array (array (number) @n) @a)",
        "[[1], [[2]]]",
        &["a=[1] n=1", "a=[2] n=2"],
    );
    check("(array (string))", "[1]", &[]);
    // Errors are of no kind, and what is missing is of its own.
    check("(array (_) @n)", "[1, )]", &["n=1"]);
    check("(expression_statement \";\" @n)", "a;", &["n=;"]);
}

#[test]
fn a_dot_passes_over_tokens_alone() {
    check("(array . (number) @n)", "[1, 2]", &["n=1"]);
    check("(array (number) @n .)", "[1, 2]", &["n=2"]);
    check("(array . (number) @n .)", "[1, 2]", &[]);
    check("(array . (number) @n .)", "[1]", &["n=1"]);
    check(
        "(array (number) @m . (number) @n)",
        "[1, 2, a, 3, 4]",
        &["m=1 n=2", "m=3 n=4"],
    );
    // A comment is a node with a name.
    check("(array . (number) @n)", "[/**/ 1]", &[]);
    check("(array (number) @n .)", "[1 /**/]", &[]);
    check("(array (number) @m . (number) @n)", "[1, /**/ 2]", &[]);
    check("(array \",\" . (number) @n)", "[1, 2, 3]", &["n=2", "n=3"]);
    // Nothing is between any child at all and the next.
    check(
        "(array _ @m . (number) @n)",
        "[1, 2]",
        &["m=[ n=1", "m=, n=2"],
    );
}

#[test]
fn what_may_be_missing_is_left_out_where_nothing_matches_with_it() {
    let query = "(variable_declarator name: (_) @n value: (_)? @v)";
    check(query, "let a = 1, b;", &["n=a v=1", "n=b"]);
    check("(array . (string)? . (number) @n)", "['s', 1]", &["n=1"]);
    check("(array (string)? (number) @n)", "[1]", &["n=1"]);
    check(
        "(array (number) @m (string)? @s)",
        "[1, 's', 't']",
        &["m=1 s='s'", "m=1 s='t'"],
    );
    // Without it the `.` behind it is of no account, and one before it is for the very next child.
    check("(array (string)? . (number) @n)", "[a, 1]", &["n=1"]);
    check("(array . \"[\"? . (number) @n)", "[1]", &["n=1"]);
    check("(array . (string)? (number) @n)", "[1]", &[]);
    check(
        "(array (identifier) . (string)? . (number) @n)",
        "[a, b, 1]",
        &["n=1"],
    );
}

#[test]
fn fields_are_asked_for_and_forbidden() {
    check("(pair key: (_) @k)", "({a: b})", &["k=a"]);
    check("(pair value: (identifier) @k)", "({a: b})", &["k=b"]);
    check(
        "(class !name) @c",
        "(class {}, class A {})",
        &["c=class {}"],
    );
    check("(class name: (_) @c)", "(class {}, class A {})", &["c=A"]);
    check(
        "(pair key: [(string) (property_identifier)] @k value: [(number) @n (string) @s])",
        "({a: 1, 'b': 'c'})",
        &["k=a n=1", "k='b' s='c'"],
    );
}

#[test]
fn a_node_is_captured_as_several_things() {
    check("(number) @a @b", "1", &["a=1 b=1"]);
    check("[(number) (string)] @a", "f(1, 's')", &["a=1", "a='s'"]);
    check(
        "[(number) @n (string)] @a",
        "f(1, 's')",
        &["a=1 n=1", "a='s'"],
    );
}

#[test]
fn conditions_are_on_the_text_of_a_capture() {
    let calls = "f(1); g(2); h(3)";
    check(
        "(call_expression function: (_) @f (#eq? @f \"g\")) @c",
        calls,
        &["c=g(2) f=g"],
    );
    check(
        "((call_expression function: (_) @f) (#any-of? @f \"f\" \"h\"))",
        calls,
        &["f=f", "f=h"],
    );
    check(
        "(call_expression function: (_) @f (#not-eq? @f \"g\"))",
        calls,
        &["f=f", "f=h"],
    );
    check(
        "(call_expression function: (_) @f (#not-any-of? @f \"g\" \"h\"))",
        calls,
        &["f=f"],
    );
    check(
        "((string) @s (#eq? @s \"\\\"a\\\"\"))",
        "\"a\"; 'a'",
        &["s=\"a\""],
    );
    // One that is not there is not compared, and what it fails to be is no reason to leave it out.
    let query = "(array (number) @n (string)? @s (#eq? @s \"'s'\"))";
    check(query, "[1]", &["n=1"]);
    check(query, "[1, 't']", &[]);
}

#[test]
fn what_is_wrong_with_a_query_is_told() {
    let check = |query: &str, expected: &str| {
        assert_eq!(
            read_query(&javascript(), query).err().as_deref(),
            Some(expected),
            "{query}"
        );
    };
    check("; fine (\n(arrray)", "line 2: no node is called `arrray`");
    check("(array \"<>\")", "line 1: no node is called `<>`");
    check("(pair kye: (_))", "line 1: no field is called `kye`");
    check("(pair !kye)", "line 1: no field is called `kye`");
    check(
        "(expression)",
        "line 1: `expression` stands for several kinds of node",
    );
    check("(ERROR)", "line 1: no node is called `ERROR`");
    check("(_) @a", "line 1: a pattern begins with a kind of node");
    check(
        "(array (number)* @n)",
        "line 1: a child is there once, or with `?` not at all",
    );
    check(
        "(array .)",
        "line 1: no child is there for sure that could be the last",
    );
    check(
        "(array (number)? .)",
        "line 1: no child is there for sure that could be the last",
    );
    check("(array", "line 1: a node is missing");
    check("(array \"[)", "line 1: a quote is not closed");
    check("(array [])", "line 1: `[]` matches nothing");
    check(
        "(array (#match? @a \"x\"))",
        "line 1: no condition is called `#match?`",
    );
    check(
        "(number) @a (string (#eq? @a \"x\"))",
        "line 1: a condition is on a capture of another pattern",
    );
    check(
        "(number (#eq? @a))",
        "line 1: a condition compares with one text, or with any of several",
    );
}

/// Two parts of which each may be any of many children are tried in all pairs; a query that has such is given up.
#[test]
fn work_that_grows_faster_than_the_file_is_given_up() {
    let work = |query: &str, numbers: usize| {
        let source = ["[", &"1,".repeat(numbers), "]"].concat();
        let patterns = read_query(&javascript(), query).expect("a test's query is right");
        let mut matches = 0_usize;
        let ended = find_matches(&patterns, &tree_of(&source), source.as_bytes(), |_, _| {
            matches += 1;
        });
        (ended, matches)
    };
    assert_eq!(work("(array (number) @a)", 10_000), (Ok(()), 10_000));
    assert_eq!(
        work("(array (number) @a . (number) @b)", 10_000),
        (Ok(()), 9_999)
    );
    assert_eq!(
        work("(array (number) (number) @b)", 10_000),
        (Ok(()), 9_999)
    );
    assert_eq!(
        work("(array (number) @a (number) @b)", 100),
        (Ok(()), 4_950)
    );
    assert_eq!(
        work("(array (number) @a (number) @b)", 10_000).0,
        Err(Excess::Work)
    );
}
