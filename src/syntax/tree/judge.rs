//! For tests: what tree-sitter's own queries find in a tree, to be the same as what ours find.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use tree_sitter::{Query, QueryCursor, QueryCursorOptions, StreamingIterator, Tree};

use super::TreeGrammar;
use super::segments::{NodeRole, Segments};

/// How long tree-sitter may take over one file. It is quadratic in some that have errors.
const PATIENCE: Duration = Duration::from_secs(5);

/// What both found in one file.
pub(super) struct Judgement {
    /// How many nodes have a role.
    pub roles: usize,
    /// The first node of which they do not say the same.
    pub difference: Option<String>,
}

/// Has both run over `source`; `None` where it is not read, or where tree-sitter takes too long.
pub(super) fn judge(grammar: &TreeGrammar, source: &[u8]) -> Option<Judgement> {
    let tree = grammar.parse(source)?;
    let ours = Segments::find(grammar.compiled()?, &tree, source).ok()?;
    let theirs = run_cursor(grammar, &tree, source)?;
    let (our_lines, their_lines) = (told(&ours, &tree), told(&theirs, &tree));
    let first = (0..our_lines.len().max(their_lines.len()))
        .map(|at| (our_lines.get(at), their_lines.get(at)))
        .find(|(ours, theirs)| ours != theirs);
    Some(Judgement {
        roles: our_lines.len(),
        difference: first.map(|(ours, theirs)| format!("ours {ours:?}, tree-sitter's {theirs:?}")),
    })
}

/// Returns the query as tree-sitter compiles it, once for all tests of a process.
pub(super) fn compiled_query(grammar: &TreeGrammar) -> Arc<Query> {
    static QUERIES: OnceLock<Mutex<HashMap<usize, Arc<Query>>>> = OnceLock::new();
    let mut queries = QUERIES
        .get_or_init(Mutex::default)
        .lock()
        .expect("no test panics while it compiles a query");
    let compile = || {
        let compiled = grammar
            .compiled()
            .expect("tests are built with every language");
        Arc::new(
            Query::new(&compiled.language, grammar.tables.segments)
                .expect("tree-sitter takes the query"),
        )
    };
    Arc::clone(
        queries
            .entry(std::ptr::from_ref(grammar).addr())
            .or_insert_with(compile),
    )
}

fn run_cursor<'tree>(
    grammar: &TreeGrammar,
    tree: &'tree Tree,
    source: &[u8],
) -> Option<Segments<'tree>> {
    let query = compiled_query(grammar);
    let compiled = grammar.compiled()?;
    let number = |capture: u32| {
        let name = query.capture_names()[usize::try_from(capture).expect("it is small")];
        let names = compiled.query.capture_names();
        names.iter().position(|it| it == name)
    };
    let numbers: Vec<Option<usize>> = (0..)
        .take(query.capture_names().len())
        .map(number)
        .collect();
    let began = Instant::now();
    let mut is_given_up = false;
    let mut watch = |_: &tree_sitter::QueryCursorState| {
        is_given_up = began.elapsed() > PATIENCE;
        if is_given_up {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut segments = Segments::default();
    let mut cursor = QueryCursor::new();
    let options = QueryCursorOptions::new().progress_callback(&mut watch);
    let mut matches = cursor.matches_with_options(&query, tree.root_node(), source, options);
    while let Some(found) = matches.next() {
        let captured: Vec<_> = found
            .captures()
            .iter()
            .map(|it| {
                let number = numbers[usize::try_from(it.index).expect("it is small")];
                (number.expect("both read the same captures"), it.node)
            })
            .collect();
        segments.add(compiled, found.pattern_index, &captured, source);
    }
    drop(matches);
    (!is_given_up).then_some(segments)
}

/// Returns a line for each node that has a role, in the order of the tree.
fn told(segments: &Segments<'_>, tree: &Tree) -> Vec<String> {
    let mut lines: BTreeMap<usize, String> = BTreeMap::new();
    for (node, pattern, role) in segments.roles() {
        let said = match role {
            NodeRole::Definition(it) => format!(
                "{} {:?} {} body {:?} value {:?} announced {}",
                it.kind,
                it.owner,
                it.name,
                it.body.map(|it| (it.kind(), it.byte_range())),
                it.value.map(|it| (it.kind(), it.byte_range())),
                it.announced,
            ),
            NodeRole::Scope(owner) => format!("scope {owner:?}"),
            NodeRole::Unnamed => "unnamed".to_owned(),
            NodeRole::Claimed => "claimed".to_owned(),
        };
        lines.insert(node, format!("pattern {pattern}: {said}"));
    }
    let mut told = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if let Some(line) = lines.remove(&node.id()) {
            told.push(format!("{} {:?} {line}", node.kind(), node.byte_range()));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return told;
            }
        }
    }
}
