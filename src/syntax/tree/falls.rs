//! Cases of a `switch` that fall through: without a statement that leaves them they go on with what the case below them does, and so
//! mean what is there.
//!
//! Known limits: a loop that never ends, and a call that never returns unless the language's folder names it, leave nothing here.

use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::visit::visit;
use super::{Falls, Switches};
use crate::syntax::Fall;
use crate::text::Span;

/// A label, and what is below it.
struct Case<'s> {
    label: &'s [u8],
    span: Span,
    is_empty: bool,
    falls: bool,
}

/// Returns those of a file, in the order in which they begin.
pub(super) fn find_falls(switches: &Switches, tree: &Tree, source: &[u8]) -> Vec<Fall> {
    let mut found = Vec::new();
    visit(tree, |cursor| {
        let node = cursor.node();
        if switches.lists.contains(&node.kind()) {
            add_falls(&cases(switches, node, source), switches, &mut found);
        }
        true
    });
    found.sort_by_key(|fall: &Fall| fall.span.start);
    found
}

impl Switches {
    /// Says whether a case ends with the next label unless it says otherwise.
    fn must_say(&self) -> bool {
        matches!(self.falls, Falls::Saying(_))
    }
}

/// Adds what falls through of the cases of one `switch`.
fn add_falls(cases: &[Case<'_>], switches: &Switches, found: &mut Vec<Fall>) {
    if !cases.iter().any(|case| case.falls) {
        return;
    }
    let labels: Rc<[Vec<u8>]> = cases.iter().map(|case| case.label.to_vec()).collect();
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.falls) {
        let below = cases.get(at + 1..).unwrap_or_default();
        // Labels in a row stand for what is below the last of them.
        let is_shared = |case: &&Case<'_>| !switches.must_say() && case.is_empty;
        let shared = below.iter().take_while(is_shared).count();
        let run = if case.is_empty {
            below.get(shared).unwrap_or(case)
        } else {
            case
        };
        let lands = below
            .iter()
            .take(shared + 1)
            .map(|case| case.label.to_vec())
            .collect();
        found.push(Fall {
            span: case.span,
            end: run.span.end,
            lands,
            labels: Rc::clone(&labels),
        });
    }
}

/// Returns the cases of one `switch`, each label one of its own.
fn cases<'s>(switches: &Switches, list: Node<'_>, source: &'s [u8]) -> Vec<Case<'s>> {
    let mut found: Vec<Case<'s>> = Vec::new();
    let mut cursor = list.walk();
    for clause in list
        .children(&mut cursor)
        .filter(|child| switches.clauses.contains(&child.kind()))
    {
        let mut start = clause.start_byte();
        let mut last: Option<Node<'_>> = None;
        let mut is_label = true;
        let mut inside = clause.walk();
        for child in clause
            .children(&mut inside)
            .filter(|child| !child.is_extra())
        {
            match child.kind() {
                "switch_label" => (start, is_label) = (child.start_byte(), true),
                end if is_label && end == switches.label_end => {
                    is_label = false;
                    let label = source
                        .get(start..child.start_byte())
                        .unwrap_or_default()
                        .trim_ascii();
                    let falls = !switches.must_say();
                    found.push(Case {
                        label,
                        span: Span::new(start, child.end_byte()),
                        is_empty: true,
                        falls,
                    });
                }
                _ if !is_label => last = Some(child),
                _ => {}
            }
        }
        if let (Some(last), Some(case)) = (last, found.last_mut()) {
            case.span = Span::new(case.span.start, last.end_byte().max(case.span.end));
            case.is_empty = false;
            case.falls = match switches.falls {
                Falls::Saying(word) => last_in(last).kind() == word,
                Falls::Empty => false,
                Falls::Unless { leaving, never } => !is_left((leaving, never), last, source),
            };
        }
    }
    found
}

/// Says whether nothing goes on after a statement: it leaves, or is a block or an `if` of which each part does.
fn is_left((leaving, never): (&[&str], &[&str]), statement: Node<'_>, source: &[u8]) -> bool {
    let mut parts = vec![statement];
    while let Some(part) = parts.pop() {
        let kind = part.kind();
        let text = source.get(part.byte_range()).unwrap_or_default();
        if leaving.contains(&kind) || never.iter().any(|call| text.starts_with(call.as_bytes())) {
            continue;
        }
        match kind {
            "statement_block" | "block" | "else_clause" | "finally_clause" => {
                match last_inside(part) {
                    Some(last) => parts.push(last),
                    None => return false,
                }
            }
            "if_statement" => {
                let both = part
                    .child_by_field_name("consequence")
                    .zip(part.child_by_field_name("alternative"));
                let Some((one, other)) = both else {
                    return false;
                };
                parts.extend([one, other]);
            }
            "try_statement" | "try_with_resources_statement" => {
                let mut cursor = part.walk();
                let catches = part
                    .named_children(&mut cursor)
                    .filter(|child| child.kind() == "catch_clause");
                parts.extend(catches.filter_map(|catch| catch.child_by_field_name("body")));
                parts.extend(part.child_by_field_name("body"));
            }
            _ => return false,
        }
    }
    true
}

/// Returns the last statement of a list that a clause has its statements in, else the statement.
fn last_in(statement: Node<'_>) -> Node<'_> {
    if statement.kind() == "statement_list" {
        last_inside(statement).unwrap_or(statement)
    } else {
        statement
    }
}

fn last_inside(block: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = block.walk();
    block
        .named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .last()
}
