//! Patterns and a tree → matches.
//!
//! A pattern matches a node in each way in which its parts find children, one after the other: children need not be adjacent unless there
//! is a `.` between them, which passes over tokens and over nothing else (not over comments).
//!
//! Where tree-sitter reports less, or more:
//!
//! - A child with `?` is left out only where nothing matches with it. Tree-sitter tries both ways, and drops a match whose captures another
//!   has, too. That is the same unless something that is captured after such a child is there before it as well; in our queries nothing
//!   that is captured follows one in a list.
//! - A child that is left out after a `.` at the beginning of its list passes that `.` on to what is next in that list; there to what is
//!   next anywhere.
//!
//! A test compares both over files of every language.
//!
//! Each node is looked at by a pattern for each way to come to it, and those are few: the children of a list are one level of a pattern,
//! and no pattern has two parts that may each be any of a thousand children. One that had is given up (`LOOKS_PER_NODE`).

use tree_sitter::{Node, Tree, TreeCursor};

use super::pattern::{
    ChildPattern, FieldId, NodePattern, NodesPattern, PatternSet, TextCondition, WantedKind,
};
use crate::syntax::Excess;

/// How often a child may be looked at for each node of the tree, and more often by so much in sum.
const LOOKS_PER_NODE: usize = 200;
const MORE_LOOKS: usize = 1_000_000;

/// A capture's number, and the node.
pub(in crate::syntax::tree) type CapturedNode<'tree> = (usize, Node<'tree>);

/// Tells `found` of each match in the tree: the number of the pattern, and what it captured. The outer node comes before the inner, and
/// of one node's matches the fuller first.
///
/// # Errors
///
/// It takes too much work.
pub(in crate::syntax::tree) fn find_matches<'tree>(
    patterns: &PatternSet,
    tree: &'tree Tree,
    source: &[u8],
    found: impl FnMut(usize, &[CapturedNode<'tree>]),
) -> Result<(), Excess> {
    let root = tree.root_node();
    let nodes = root.descendant_count();
    let mut matcher = Matcher {
        source,
        found,
        lister: root.walk(),
        wants_fields: patterns.want_fields(),
        captured: Vec::new(),
        looks: MORE_LOOKS.saturating_add(nodes.saturating_mul(LOOKS_PER_NODE)),
    };
    let mut cursor = root.walk();
    loop {
        matcher.try_patterns(patterns, cursor.node());
        if matcher.looks == 0 {
            return Err(Excess::Work);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
        }
    }
}

struct Matcher<'s, 'tree, F> {
    source: &'s [u8],
    found: F,
    /// Lists the children of a node.
    lister: TreeCursor<'tree>,
    /// A pattern says which field a child has. Otherwise none is asked for: to answer, tree-sitter goes up through all that its
    /// trees do not show, which in CMake is as deep as parentheses nest.
    wants_fields: bool,
    captured: Vec<CapturedNode<'tree>>,
    looks: usize,
}

/// The nodes directly below another, each with its field.
struct ListedChildren<'tree> {
    nodes: Vec<(Node<'tree>, Option<FieldId>)>,
    /// The place of the last that has a name.
    last_named: Option<usize>,
}

/// Where a pattern has got to: `parts` are still to be found from the child `next` on, then what `outer` still wants.
#[derive(Clone, Copy)]
struct MatchProgress<'p, 'tree> {
    pattern: (usize, &'p [TextCondition]),
    parts: &'p [ChildPattern],
    children: &'p ListedChildren<'tree>,
    next: usize,
    adjacency: Adjacency,
    outer: Option<&'p MatchProgress<'p, 'tree>>,
}

/// How far from `next` a part may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Adjacency {
    /// As it is written, and it is the first of its list.
    First,
    /// As it is written.
    Written,
    /// Any later child, even with a `.`: that was for a child before it, which was left out.
    Anywhere,
    /// The very next child, token or not.
    Next,
}

impl<'tree, F: FnMut(usize, &[CapturedNode<'tree>])> Matcher<'_, 'tree, F> {
    fn try_patterns(&mut self, patterns: &PatternSet, node: Node<'tree>) {
        // What most patterns of a node begin with are its children: they are listed once.
        let mut listed: Option<ListedChildren<'tree>> = None;
        for (number, pattern, root) in patterns.begun_by(node) {
            if !lacks_all(node, &root.without) {
                continue;
            }
            self.captured.clear();
            self.capture(root, node);
            let NodesPattern { conditions, .. } = pattern;
            if root.children.is_empty() {
                self.report((number, conditions));
                continue;
            }
            let children = listed
                .get_or_insert_with(|| list_children(&mut self.lister, node, self.wants_fields));
            self.find_parts(&MatchProgress {
                pattern: (number, conditions),
                parts: &root.children,
                children,
                next: 0,
                adjacency: Adjacency::First,
                outer: None,
            });
        }
    }

    /// Finds what is still to be found in all ways, and reports each. Says whether there was one.
    fn find_parts(&mut self, progress: &MatchProgress<'_, 'tree>) -> bool {
        let Some((part, _)) = progress.parts.split_first() else {
            let Some(outer) = progress.outer else {
                self.report(progress.pattern);
                return true;
            };
            return self.find_parts(outer);
        };
        let mut is_found = false;
        for node in &part.either {
            is_found |= self.find_part(progress, part, node);
        }
        is_found || part.optional && self.find_parts(&progress.without_first())
    }

    /// Finds the first part as `wanted` in all ways, and with each of them the rest.
    fn find_part(
        &mut self,
        progress: &MatchProgress<'_, 'tree>,
        part: &ChildPattern,
        wanted: &NodePattern,
    ) -> bool {
        let mut is_found = false;
        let candidates = progress.children.nodes.iter().enumerate();
        for (at, &(node, field)) in candidates.skip(progress.next) {
            let Some(left) = self.looks.checked_sub(1) else {
                return is_found;
            };
            self.looks = left;
            let is_in_place = !part.last || progress.children.last_named <= Some(at);
            if is_in_place && is_wanted(wanted, node, field) {
                is_found |= self.go_on(&progress.behind(at, wanted), wanted, node);
                if progress.is_settled_by(wanted) {
                    break;
                }
            }
            let is_passed_over = match progress.adjacency {
                Adjacency::First | Adjacency::Written => !part.anchored || !node.is_named(),
                Adjacency::Anywhere => true,
                Adjacency::Next => false,
            };
            if !is_passed_over {
                break;
            }
        }
        is_found
    }

    /// Takes `node` for what is wanted, and finds what has to be below it, then the rest.
    fn go_on(
        &mut self,
        rest: &MatchProgress<'_, 'tree>,
        wanted: &NodePattern,
        node: Node<'tree>,
    ) -> bool {
        let before = self.captured.len();
        self.capture(wanted, node);
        let is_found = if wanted.children.is_empty() {
            self.find_parts(rest)
        } else {
            let children = list_children(&mut self.lister, node, self.wants_fields);
            self.find_parts(&MatchProgress {
                pattern: rest.pattern,
                parts: &wanted.children,
                children: &children,
                next: 0,
                adjacency: Adjacency::First,
                outer: Some(rest),
            })
        };
        self.captured.truncate(before);
        is_found
    }

    fn capture(&mut self, pattern: &NodePattern, node: Node<'tree>) {
        let captures = pattern.captures.iter();
        self.captured
            .extend(captures.map(|&capture| (capture, node)));
    }

    /// Reports what is captured, if its text is as the conditions have it.
    fn report(&mut self, (number, conditions): (usize, &[TextCondition])) {
        let is_met = |condition: &TextCondition| {
            let nodes = self
                .captured
                .iter()
                .filter(|(capture, _)| *capture == condition.capture);
            nodes.into_iter().all(|(_, node)| {
                let text = self.source.get(node.byte_range()).unwrap_or_default();
                let mut words = condition.words.iter();
                words.any(|word| word.as_bytes() == text) == condition.one_of
            })
        };
        if conditions.iter().all(is_met) {
            (self.found)(number, &self.captured);
        }
    }
}

impl<'p> MatchProgress<'p, '_> {
    /// Says whether what comes of the first node that the first part matches as `wanted` is all that can come of it: nothing of it
    /// is captured, and whatever may follow a later one may follow this, too.
    fn is_settled_by(&self, wanted: &NodePattern) -> bool {
        let is_anchored = self.parts.get(1).is_some_and(|next| next.anchored);
        wanted.captures.is_empty() && wanted.children.is_empty() && !is_anchored
    }

    /// What is to be found once the first part is the child at `at`, as `taken`.
    fn behind(&self, at: usize, taken: &NodePattern) -> Self {
        let parts = self.parts.get(1..).unwrap_or_default();
        let is_anchored = parts.first().is_some_and(|next| next.anchored);
        // `_ . x`: what is any child at all parts from what follows it by nothing, either.
        let adjacency = if taken.kind == WantedKind::Any && is_anchored {
            Adjacency::Next
        } else {
            Adjacency::Written
        };
        MatchProgress {
            parts,
            next: at + 1,
            adjacency,
            ..*self
        }
    }

    /// What is to be found once the first part is left out.
    fn without_first(&self) -> Self {
        let anchored = self.parts.first().is_some_and(|part| part.anchored);
        let adjacency = match self.adjacency {
            Adjacency::Next => Adjacency::Next,
            Adjacency::First if anchored => Adjacency::Next,
            Adjacency::Written if anchored => Adjacency::Written,
            Adjacency::First | Adjacency::Written | Adjacency::Anywhere => Adjacency::Anywhere,
        };
        MatchProgress {
            parts: self.parts.get(1..).unwrap_or_default(),
            adjacency,
            ..*self
        }
    }
}

/// Returns the children of `node`, if so wanted each with its field.
fn list_children<'tree>(
    lister: &mut TreeCursor<'tree>,
    node: Node<'tree>,
    with_fields: bool,
) -> ListedChildren<'tree> {
    lister.reset(node);
    let mut children = ListedChildren {
        nodes: Vec::new(),
        last_named: None,
    };
    let mut is_any_left = lister.goto_first_child();
    while is_any_left {
        let child = lister.node();
        if child.is_named() {
            children.last_named = Some(children.nodes.len());
        }
        let field = with_fields.then(|| lister.field_id()).flatten();
        children.nodes.push((child, field));
        is_any_left = lister.goto_next_sibling();
    }
    children
}

/// Says whether a node with this field is what is wanted, but for what is below it.
fn is_wanted(wanted: &NodePattern, node: Node<'_>, field: Option<FieldId>) -> bool {
    let is_of_kind = match wanted.kind {
        WantedKind::Any => !node.is_error(),
        WantedKind::Named => node.is_named() && !node.is_error(),
        WantedKind::Only(kind) => node.kind_id() == kind,
    };
    is_of_kind
        && (wanted.field.is_none() || wanted.field == field)
        && lacks_all(node, &wanted.without)
}

fn lacks_all(node: Node<'_>, fields: &[FieldId]) -> bool {
    let mut fields = fields.iter();
    fields.all(|field| node.child_by_field_id(field.get()).is_none())
}
