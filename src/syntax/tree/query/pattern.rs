//! What a query says, by the numbers that a language gives to its kinds of node and its fields.

use tree_sitter::Node;

/// The number of a field.
pub(super) type FieldId = std::num::NonZeroU16;

/// All patterns of a query.
pub(in crate::syntax::tree) struct PatternSet {
    patterns: Vec<NodesPattern>,
    captures: Vec<String>,
    /// For each kind of node the patterns that begin with it: the number of one, and of its root.
    begun_by: Vec<Vec<(usize, usize)>>,
}

/// One pattern.
pub(super) struct NodesPattern {
    /// What it begins with: one of these, each of a kind that is named.
    pub roots: Vec<NodePattern>,
    pub conditions: Vec<TextCondition>,
}

/// What one node has to be.
pub(super) struct NodePattern {
    pub kind: WantedKind,
    pub field: Option<FieldId>,
    /// Fields that it must not have.
    pub without: Vec<FieldId>,
    /// What it is captured as.
    pub captures: Vec<usize>,
    /// What has to be directly below it, in this order.
    pub children: Vec<ChildPattern>,
}

impl NodePattern {
    /// Says whether it asks for the field of a node below it.
    fn wants_fields(&self) -> bool {
        let mut below = self.children.iter().flat_map(|child| &child.either);
        below.any(|child| child.field.is_some() || child.wants_fields())
    }
}

/// Which kind of node is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WantedKind {
    /// `_`: any but an error.
    Any,
    /// `(_)`: any that has a name, but for an error.
    Named,
    /// As `Node::kind_id` has it: the name that the tree shows, which for an alias is the alias.
    Only(u16),
}

/// What one child has to be.
pub(super) struct ChildPattern {
    /// One of these.
    pub either: Vec<NodePattern>,
    /// `?`: it may be missing.
    pub optional: bool,
    /// `.` before it: no named node is between it and the one before, or the beginning.
    pub anchored: bool,
    /// `.` after it, at the end: no named node follows.
    pub last: bool,
}

/// What the text of a captured node has to be.
pub(super) struct TextCondition {
    pub capture: usize,
    pub words: Vec<String>,
    /// It is one of these words, or it is none.
    pub one_of: bool,
}

impl PatternSet {
    /// Returns the set of `patterns`, for a language with so many kinds of node.
    pub(super) fn new(
        patterns: Vec<NodesPattern>,
        captures: Vec<String>,
        kinds: usize,
    ) -> PatternSet {
        let mut begun_by = vec![Vec::new(); kinds];
        for (at, pattern) in patterns.iter().enumerate() {
            for (root, node) in pattern.roots.iter().enumerate() {
                let WantedKind::Only(kind) = node.kind else {
                    continue;
                };
                if let Some(begun) = begun_by.get_mut(usize::from(kind)) {
                    begun.push((at, root));
                }
            }
        }
        PatternSet {
            patterns,
            captures,
            begun_by,
        }
    }

    /// Returns the names of the captures, in the order of their numbers.
    pub(in crate::syntax::tree) fn capture_names(&self) -> &[String] {
        &self.captures
    }

    /// Returns the patterns that a node of this one's kind begins, each with its number; an error node begins none.
    pub(super) fn begun_by<'set>(
        &'set self,
        node: Node<'_>,
    ) -> impl Iterator<Item = (usize, &'set NodesPattern, &'set NodePattern)> {
        let begun = self.begun_by.get(usize::from(node.kind_id()));
        let of = |&(at, root): &(usize, usize)| {
            let pattern = self.patterns.get(at)?;
            Some((at, pattern, pattern.roots.get(root)?))
        };
        begun.into_iter().flatten().filter_map(of)
    }

    /// Says whether one of them asks for the field of a child.
    pub(super) fn want_fields(&self) -> bool {
        let roots = self.patterns.iter().flat_map(|pattern| &pattern.roots);
        roots.into_iter().any(NodePattern::wants_fields)
    }

    /// Returns how many patterns there are.
    #[cfg(test)]
    pub(in crate::syntax::tree) fn len(&self) -> usize {
        self.patterns.len()
    }
}
