//! Runs the query over a tree: which node is a segment, under which name.
//!
//! Invariant: one role a node. Of several patterns that speak of a node the first in the query wins, so that a
//! query goes from the particular to the general.

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::compiled::{Capture, Compiled};
use super::query::{CapturedNode, find_matches};
use crate::syntax::SegmentKind;
use crate::syntax::outline::{Excess, MAX_NESTING};

/// What a node is.
pub(super) enum NodeRole<'tree> {
    Definition(FoundDefinition<'tree>),
    /// Owns what is directly inside.
    Scope(Option<Rc<str>>),
    /// Cannot be addressed, nor can what is inside.
    Unnamed,
    /// Nothing by itself: an earlier pattern has taken care of it.
    Claimed,
}

/// A definition as the query found it.
pub(super) struct FoundDefinition<'tree> {
    pub kind: SegmentKind,
    pub name: String,
    pub owner: Option<Rc<str>>,
    pub body: Option<Node<'tree>>,
    pub value: Option<Node<'tree>>,
    /// It is written elsewhere.
    pub announced: bool,
    /// What is inside is named after it.
    pub names_inside: bool,
    /// What that is named after besides.
    pub owner_inside: Option<Rc<str>>,
}

/// The roles of a tree's nodes.
#[derive(Default)]
pub(super) struct Segments<'tree> {
    roles: HashMap<usize, MatchedRole<'tree>>,
    starts: Vec<usize>,
    /// Where the nodes end that the last one is in, and it, the outermost first.
    open: Vec<usize>,
    nests_too_deep: bool,
}

/// How many nodes with a role may be in each other. Far more than a segment may be in: not each of them becomes a segment.
const MOST_OPEN: usize = 8 * MAX_NESTING;

struct MatchedRole<'tree> {
    pattern: usize,
    /// The node that named it, to notice a second name of the same node.
    name: Option<usize>,
    role: NodeRole<'tree>,
}

impl<'tree> Segments<'tree> {
    /// Runs the query over the whole tree.
    ///
    /// # Errors
    ///
    /// It takes too much work, or what has a role nests too deep.
    pub(super) fn find(
        compiled: &Compiled,
        tree: &'tree Tree,
        source: &[u8],
    ) -> Result<Segments<'tree>, Excess> {
        let mut segments = Segments::default();
        find_matches(&compiled.query, tree, source, |pattern, captured| {
            if !segments.nests_too_deep {
                segments.add(compiled, pattern, captured, source);
            }
        })?;
        if segments.nests_too_deep {
            return Err(Excess::Nesting);
        }
        segments.starts.sort_unstable();
        Ok(segments)
    }

    /// Returns the role of a node, if it has one.
    pub(super) fn role(&self, node: Node<'_>) -> Option<&NodeRole<'tree>> {
        self.roles.get(&node.id()).map(|entry| &entry.role)
    }

    /// Returns each node that has a role, with the pattern that it is of.
    #[cfg(test)]
    pub(super) fn roles(&self) -> impl Iterator<Item = (usize, usize, &NodeRole<'tree>)> {
        let roles = self.roles.iter();
        roles.map(|(&node, entry)| (node, entry.pattern, &entry.role))
    }

    /// Says whether a node with a role begins inside `node`: only then is it worth a look.
    pub(super) fn any_in(&self, node: Node<'_>) -> bool {
        let next = self
            .starts
            .partition_point(|&start| start < node.start_byte());
        self.starts
            .get(next)
            .is_some_and(|&start| start < node.end_byte())
    }

    /// Adds what a match of the pattern with this number says. Of matches that give a node the same name the first counts.
    pub(super) fn add(
        &mut self,
        compiled: &Compiled,
        pattern: usize,
        captured: &[CapturedNode<'tree>],
        source: &[u8],
    ) {
        let captured = CapturedNodes::of(compiled, captured);
        for &node in &captured.claimed {
            self.enter(
                node,
                MatchedRole {
                    pattern,
                    name: None,
                    role: NodeRole::Claimed,
                },
            );
        }
        if let Some(node) = captured.unnamed {
            self.enter(
                node,
                MatchedRole {
                    pattern,
                    name: None,
                    role: NodeRole::Unnamed,
                },
            );
        }
        let owner = captured
            .owner
            .and_then(|node| owner_name(compiled, node, source));
        if let Some(node) = captured.scope {
            self.enter(
                node,
                MatchedRole {
                    pattern,
                    name: None,
                    role: NodeRole::Scope(owner),
                },
            );
            return;
        }
        let (Some((kind, node)), Some(name_node)) = (captured.definition, captured.name) else {
            return;
        };
        if captured.apart
            && let Some(name) = compiled.header_name(name_node, source)
        {
            self.enter(
                node,
                MatchedRole {
                    pattern,
                    name: None,
                    role: NodeRole::Definition(FoundDefinition {
                        kind,
                        name,
                        owner: None,
                        body: captured.body,
                        value: None,
                        announced: false,
                        names_inside: false,
                        owner_inside: owner,
                    }),
                },
            );
            return;
        }
        let Some((around, own_name)) = declared_name(compiled, name_node, source) else {
            return;
        };
        let parted = if compiled.traits(own_name).dotted {
            text(own_name, source).and_then(parted_name)
        } else {
            text(own_name, source)
                .and_then(plain_name)
                .map(|name| (None, name))
        };
        let Some((before, name)) = parted else {
            return;
        };
        let around = around.or(before);
        let role = NodeRole::Definition(FoundDefinition {
            kind,
            name,
            owner: owner.or(around),
            body: captured.body,
            value: captured.value,
            announced: captured.announced,
            names_inside: !captured.apart,
            owner_inside: None,
        });
        self.enter(
            node,
            MatchedRole {
                pattern,
                name: Some(name_node.id()),
                role,
            },
        );
    }

    fn enter(&mut self, node: Node<'tree>, entry: MatchedRole<'tree>) {
        let Some(before) = self.roles.get_mut(&node.id()) else {
            self.starts.push(node.start_byte());
            self.roles.insert(node.id(), entry);
            self.count_open(node);
            return;
        };
        if entry.pattern < before.pattern {
            *before = entry;
        } else if entry.pattern == before.pattern && entry.name != before.name {
            before.role = NodeRole::Claimed;
        }
    }

    /// Counts `node` among those that are open. The outer node comes before the inner.
    fn count_open(&mut self, node: Node<'tree>) {
        while self
            .open
            .last()
            .is_some_and(|&end| end <= node.start_byte())
        {
            self.open.pop();
        }
        self.open.push(node.end_byte());
        self.nests_too_deep |= self.open.len() > MOST_OPEN;
    }
}

/// The nodes of one match.
#[derive(Default)]
struct CapturedNodes<'tree> {
    definition: Option<(SegmentKind, Node<'tree>)>,
    name: Option<Node<'tree>>,
    body: Option<Node<'tree>>,
    value: Option<Node<'tree>>,
    owner: Option<Node<'tree>>,
    scope: Option<Node<'tree>>,
    unnamed: Option<Node<'tree>>,
    claimed: Vec<Node<'tree>>,
    announced: bool,
    apart: bool,
}

impl<'tree> CapturedNodes<'tree> {
    fn of(compiled: &Compiled, found: &[CapturedNode<'tree>]) -> CapturedNodes<'tree> {
        let mut captured = CapturedNodes::default();
        for &(capture, node) in found {
            match compiled.capture(capture) {
                Some(Capture::Definition(kind)) => captured.definition = Some((kind, node)),
                Some(Capture::Name) => captured.name = Some(node),
                Some(Capture::Body) => captured.body = Some(node),
                Some(Capture::Value) => captured.value = Some(node),
                Some(Capture::Owner) => captured.owner = Some(node),
                Some(Capture::Scope) => captured.scope = Some(node),
                Some(Capture::Unnamed) => captured.unnamed = Some(node),
                Some(Capture::Claimed) => captured.claimed.push(node),
                Some(Capture::Announced) => captured.announced = true,
                Some(Capture::Apart) => captured.apart = true,
                Some(Capture::Aside) | None => {}
            }
        }
        captured
    }
}

fn text<'s>(node: Node<'_>, source: &'s [u8]) -> Option<&'s str> {
    std::str::from_utf8(source.get(node.byte_range())?).ok()
}

/// Returns the name without the quotes around it (`'content-type'() {}`), one that is computed with its brackets (`[Symbol.iterator]`),
/// and one that an address would read as several, or as one with a number, in double quotes (`"GET /a.b"`); `None` for one that no
/// address could hold.
fn plain_name(text: &str) -> Option<String> {
    if let Some(computed) = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
    {
        let awkward = |c: char| c.is_control();
        let is_index = computed.starts_with(|first: char| first.is_ascii_digit());
        return (!computed.is_empty() && !is_index && !computed.contains(awkward))
            .then(|| text.to_owned());
    }
    let quoted = ['"', '\'', '`']
        .iter()
        .find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote));
    let bare = quoted.unwrap_or(text);
    let awkward = |c: char| c.is_whitespace() || c.is_control() || ".[]\"'`".contains(c);
    if bare.is_empty() || bare == "_" {
        return None;
    }
    if !bare.contains(awkward) {
        return Some(bare.to_owned());
    }
    let unwritable = |c: char| c.is_control() || matches!(c, '"' | '\\');
    (quoted.is_some() && !bare.contains(unwritable)).then(|| format!("\"{bare}\""))
}

/// Returns the name after the last dot (`c` of `a.b.c`), and what is before that. One with a dot at either end, or two in a row, is a
/// single name (`.hidden`); `None` for what holds anything but words and dots, unless it is in quotes.
fn parted_name(text: &str) -> Option<(Option<Rc<str>>, String)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    if !text.chars().all(|c| is_word(c) || c == '.') {
        let inner = text.get(1..text.len().saturating_sub(1))?;
        let is_quoted =
            text.starts_with(['"', '\'', '`']) && !inner.contains(['"', '\'', '`', '$']);
        return is_quoted
            .then(|| plain_name(text))?
            .map(|name| (None, name));
    }
    if text.split('.').any(str::is_empty) {
        return text
            .contains(is_word)
            .then(|| (None, format!("\"{text}\"")));
    }
    match text.rsplit_once('.') {
        Some((before, name)) => Some((Some(before.into()), plain_name(name)?)),
        None => Some((None, plain_name(text)?)),
    }
}

/// Returns the node of a definition's name, which the table finds in `*a::B<T>::f(int x)`, and the names of what it is in, with dots
/// between; `None` where one of them is no plain name.
fn declared_name<'tree>(
    compiled: &Compiled,
    mut node: Node<'tree>,
    source: &[u8],
) -> Option<(Option<Rc<str>>, Node<'tree>)> {
    let mut around = String::new();
    while let Some(inner) = compiled.within_name(node) {
        let (scope, inner) = inner?;
        if let Some(scope) = scope {
            let name = owner_name(compiled, scope, source)?;
            around.extend((!around.is_empty()).then_some('.'));
            around.push_str(&name);
        }
        node = inner;
    }
    Some(((!around.is_empty()).then(|| around.into()), node))
}

/// Returns an owner's name: that of the type which the table finds in `&mut dyn a::Worker<T>`, or several names with dots
/// between (`namespace A.B.C`). `None` for what has no name (`[u8; 3]`).
fn owner_name(compiled: &Compiled, mut node: Node<'_>, source: &[u8]) -> Option<Rc<str>> {
    while let Some(inner) = compiled.within_owner(node) {
        node = inner?;
    }
    let parts = text(node, source)?.split(['.', ':', '\\']);
    let names = parts.map(str::trim).filter(|name| !name.is_empty());
    let is_plain = |name: &str| {
        name.chars()
            .all(|c| c.is_alphanumeric() || "_#$-".contains(c))
    };
    let names: Option<Vec<&str>> = names.map(|name| is_plain(name).then_some(name)).collect();
    names
        .filter(|names| !names.is_empty())
        .map(|names| names.join(".").into())
}
