//! A language's tables, made ready once: the compiled query, and for each kind of node what it is to us.

use tree_sitter::{Language, Node};

use super::query::{PatternSet, read_query};
use super::{Decorates, HeaderName, Leads, Tables, Within};
use crate::syntax::SegmentKind;

/// What a capture of the query says about its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    Definition(SegmentKind),
    Name,
    Body,
    Value,
    Owner,
    Scope,
    Unnamed,
    Claimed,
    /// Announced here, and written elsewhere.
    Announced,
    /// What is inside is not named after it.
    Apart,
    /// Of use to the query alone.
    Aside,
}

/// What a kind of node is to us.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Traits {
    pub comment: bool,
    pub decorator: bool,
    pub modifiers: bool,
    pub wrapper: bool,
    pub wrapper_head: bool,
    pub wrapper_type: bool,
    pub string: bool,
    /// One in which a backslash at the end of a line takes the blanks of the next along.
    pub joined: bool,
    /// The blanks that a line of it begins with count for nothing.
    pub loose: bool,
    /// It documents what is below.
    pub description: bool,
    /// It has to be ahead of every definition.
    pub import: bool,
    /// Its children are statements.
    pub list: bool,
    /// It is all of the list around it.
    pub inner_list: bool,
    /// Commas part its members, which are segments.
    pub comma_list: bool,
    /// Its members are what a type is made of.
    pub component_list: bool,
    /// Its members are segments only where it is the value of one.
    pub value_list: bool,
    /// It is around the value of a segment.
    pub around_value: bool,
    /// It may have nothing between two commas.
    pub sparse_list: bool,
    /// It holds tokens in brackets, in groups.
    pub token_list: bool,
    /// It is one wherever it is.
    pub statement: bool,
    /// It is a name, dots and all.
    pub dotted: bool,
    /// It takes a statement without braces, of whatever kind.
    pub headed: bool,
    /// It ends with the last statement in it.
    pub open: bool,
}

/// A language, ready for use.
pub(super) struct Compiled {
    pub language: Language,
    pub query: PatternSet,
    pub doc_comments: &'static [&'static str],
    pub doc_gap: usize,
    pub other_comments: &'static [&'static str],
    pub column_comments: &'static [&'static str],
    captures: Vec<Capture>,
    traits: Vec<Traits>,
    terminators: &'static [(&'static str, &'static str)],
    optional_wrappers: &'static [(&'static str, &'static str)],
    owners: &'static [(&'static str, Within)],
    names: &'static [(&'static str, Within)],
    body_ends: &'static [&'static str],
    terminated: &'static [&'static str],
    block_words: &'static [&'static str],
    prefixes: &'static [&'static str],
    leads: Option<Leads>,
    decorates: Option<Decorates>,
    header_name: Option<HeaderName>,
}

impl Compiled {
    /// Compiles the tables; `None` where the build has no parser. A query that cannot be read is our own bug, and a test reads each.
    pub(super) fn new(tables: &Tables) -> Option<Compiled> {
        let language = Language::new(tables.parser.function?);
        let query = read_query(&language, tables.segments)
            .expect("a test reads the query of every language");
        let captures = query
            .capture_names()
            .iter()
            .map(|name| capture(name))
            .collect();
        let traits = (0..=u16::MAX)
            .take(language.node_kind_count())
            .map(|id| traits(tables, language.node_kind_for_id(id).unwrap_or_default()))
            .collect();
        let Tables {
            doc_comments,
            doc_gap,
            other_comments,
            column_comments,
            terminators,
            optional_wrappers,
            owners,
            names,
            body_ends,
            terminated,
            block_words,
            prefixes,
            leads,
            decorates,
            header_name,
            ..
        } = *tables;
        Some(Compiled {
            language,
            query,
            doc_comments,
            doc_gap,
            other_comments,
            column_comments,
            captures,
            traits,
            terminators,
            optional_wrappers,
            owners,
            names,
            body_ends,
            terminated,
            block_words,
            prefixes,
            leads,
            decorates,
            header_name,
        })
    }

    /// Returns what the capture with this number says.
    pub(super) fn capture(&self, number: usize) -> Option<Capture> {
        self.captures.get(number).copied()
    }

    /// Returns the kinds of segment that the query names, in the order of `SegmentKind::ALL`.
    pub(super) fn kinds(&self) -> Vec<SegmentKind> {
        let all = SegmentKind::ALL.into_iter();
        all.filter(|&kind| self.captures.contains(&Capture::Definition(kind)))
            .collect()
    }

    /// Returns what the node is to us; an error node is nothing.
    pub(super) fn traits(&self, node: Node<'_>) -> Traits {
        self.traits
            .get(usize::from(node.kind_id()))
            .copied()
            .unwrap_or_default()
    }

    /// Says whether a node decorates what is below it.
    pub(super) fn is_decorator(&self, node: Node<'_>, source: &[u8]) -> bool {
        self.traits(node).decorator
            || self
                .decorates
                .is_some_and(|decorates| decorates(node, source))
    }

    /// Returns the kind of `statement`, with or without what the grammar may put around it.
    pub(super) fn kind_of(&self, statement: Node<'_>) -> u16 {
        let wraps = |&&(outer, inner): &&(&str, &str)| {
            statement.kind() == outer
                && statement
                    .named_child(0)
                    .is_some_and(|it| it.kind() == inner)
        };
        let inner = self
            .optional_wrappers
            .iter()
            .find(wraps)
            .and_then(|_| statement.named_child(0));
        inner.unwrap_or(statement).kind_id()
    }

    /// Says whether `node`, in a list of this kind, ends the member before it.
    pub(super) fn ends_member(&self, list: &str, node: Node<'_>) -> bool {
        self.terminators
            .iter()
            .any(|&(of, token)| of == list && token == node.kind())
    }

    /// Says whether a statement may end with its line instead of its `;`.
    pub(super) fn ends_freely(&self) -> bool {
        !self.terminated.is_empty()
    }

    /// Returns where in a file statements may begin in an expression, in file order: at braces, and at words for them, be they parts of others.
    pub(super) fn block_signs(&self, source: &[u8]) -> Vec<usize> {
        let mut found: Vec<usize> = memchr::memchr_iter(b'{', source).collect();
        for word in self.block_words {
            found.extend(memchr::memmem::find_iter(source, word));
        }
        found.sort_unstable();
        found
    }

    /// Says whether a statement of this kind ends with a `;`, or with its line instead.
    pub(super) fn is_terminated(&self, node: Node<'_>) -> bool {
        self.terminated.contains(&node.kind())
    }

    /// Says whether `member`, in a list with this number that is in a node with this one, has to be first, if only its
    /// like is before it.
    pub(super) fn leads(&self, member: Node<'_>, list: u16, around: u16, source: &[u8]) -> bool {
        let kind = |id| self.language.node_kind_for_id(id).unwrap_or_default();
        self.leads
            .is_some_and(|leads| leads(member, kind(list), kind(around), source))
    }

    /// Says whether a member with this text belongs to the one below it.
    pub(super) fn is_prefix(&self, member: &[u8]) -> bool {
        self.prefixes
            .iter()
            .any(|prefix| prefix.as_bytes() == member)
    }

    /// Returns where to look on for an owner's name: `None` when `node` is the name, `Some(None)` when there is none.
    pub(super) fn within_owner<'tree>(&self, node: Node<'tree>) -> Option<Option<Node<'tree>>> {
        let &(_, within) = self.owners.iter().find(|&&(kind, _)| kind == node.kind())?;
        Some(within.inner(node).map(|(_, inner)| inner))
    }

    /// Returns where to look on for a definition's name, and what names the thing that it is in: `None` when `node` is the name.
    pub(super) fn within_name<'tree>(&self, node: Node<'tree>) -> Option<Option<Stepped<'tree>>> {
        let &(_, within) = self.names.iter().find(|&&(kind, _)| kind == node.kind())?;
        Some(within.inner(node))
    }

    /// Returns what names a definition that is named by its header, if that can be in an address.
    pub(super) fn header_name(&self, node: Node<'_>, source: &[u8]) -> Option<String> {
        self.header_name
            .and_then(|header_name| header_name(node, source))
    }

    /// Says whether the token ends a body that nothing opens.
    pub(super) fn ends_body(&self, token: Node<'_>) -> bool {
        self.body_ends.contains(&token.kind())
    }

    /// Says whether the comment documents what is below it.
    pub(super) fn is_doc(&self, comment: &[u8]) -> bool {
        let begins = |openers: &[&str]| {
            openers
                .iter()
                .any(|opener| comment.starts_with(opener.as_bytes()))
        };
        begins(self.doc_comments) && !begins(self.other_comments) && comment != b"/**/"
    }
}

/// What names the thing that a name is in, if anything does, and the node that the name is in.
pub(super) type Stepped<'tree> = (Option<Node<'tree>>, Node<'tree>);

impl Within {
    fn inner<'tree>(self, node: Node<'tree>) -> Option<Stepped<'tree>> {
        let inner = match self {
            Within::Field(field) => node.child_by_field_name(field),
            Within::First => node.named_child(0),
            Within::Last => node.named_child(
                u32::try_from(node.named_child_count())
                    .ok()?
                    .checked_sub(1)?,
            ),
            // `(A)`: a parenthesis. `(A,)` and `(A, B)`: a type without a name.
            Within::Only => node.named_child(0).filter(|_| node.child_count() == 3),
            Within::Scoped(scope, name) => {
                return Some((
                    node.child_by_field_name(scope),
                    node.child_by_field_name(name)?,
                ));
            }
        };
        Some((None, inner?))
    }
}

fn capture(name: &str) -> Capture {
    match name {
        "name" => Capture::Name,
        "body" => Capture::Body,
        "value" => Capture::Value,
        "owner" => Capture::Owner,
        "scope" => Capture::Scope,
        "unnamed" => Capture::Unnamed,
        "claimed" => Capture::Claimed,
        "announced" => Capture::Announced,
        "apart" => Capture::Apart,
        aside if aside.starts_with('_') => Capture::Aside,
        kind => Capture::Definition(
            kind.parse()
                .expect("a capture is one of the above or a kind: a test reads each query"),
        ),
    }
}

fn traits(tables: &Tables, kind: &str) -> Traits {
    Traits {
        comment: tables.comments.contains(&kind),
        decorator: tables.decorators.contains(&kind),
        modifiers: tables.modifiers.contains(&kind),
        wrapper: tables.wrappers.contains(&kind),
        wrapper_head: tables.wrapper_heads.contains(&kind),
        wrapper_type: tables.wrapper_types.contains(&kind),
        string: tables.strings.contains(&kind),
        joined: tables.joined_strings.contains(&kind),
        loose: tables.loose_strings.contains(&kind),
        description: tables.descriptions.contains(&kind),
        import: tables.imports.contains(&kind),
        list: tables.lists.contains(&kind),
        inner_list: tables.inner_lists.contains(&kind),
        comma_list: tables.comma_lists.contains(&kind),
        component_list: tables.component_lists.contains(&kind),
        value_list: tables.value_lists.contains(&kind),
        around_value: tables.around_values.contains(&kind),
        sparse_list: tables.sparse_lists.contains(&kind),
        token_list: tables.token_lists.contains(&kind),
        // What only holds statements is none, whatever it is called; in braces it is one by those.
        statement: tables.clauses.contains(&kind)
            || kind.ends_with("_statement") && !tables.lists.contains(&kind),
        dotted: tables.dotted.contains(&kind),
        headed: tables.headed.contains(&kind),
        open: tables.open_clauses.contains(&kind)
            || tables
                .switches
                .is_some_and(|switches| switches.clauses.contains(&kind)),
    }
}
