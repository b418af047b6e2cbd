//! The one engine for every language that tree-sitter reads: a grammar, a query and a few tables of node names in,
//! `Grammar` out. What is peculiar to a language stands in its folder as data; nothing here knows one by name.
//!
//! The query (`segments.scm`) says what is a segment. Its captures:
//!
//! | capture | on |
//! |---|---|
//! | `@function`, `@class`, … (every `Kind`) | the node that is the definition; of several patterns for one node the first wins |
//! | `@name` | its name; a node that two matches of one pattern name differently names several things and is skipped |
//! | `@body` | what the header introduces, in braces or an expression (default: the node's field `body`) |
//! | `@value` | the same, behind a `=` |
//! | `@owner` | a name to put ahead of its own (`func (w *Worker) Process`) |
//! | `@scope` | a node without a name of its own that owns what is directly inside (`impl Worker { … }`, with `@owner`) |
//! | `@unnamed` | a node that has no name: what is inside cannot be addressed and is left out |
//! | `@claimed` | a node that an earlier pattern has taken care of, so that no later pattern takes it |
//!
//! Known limits: definitions nested deeper than `MAX_NESTING` are not told; a parse that takes too much work (`parse.rs`)
//! is given up, and the file then has no segments and one error.
//!
//! Invariant: nothing here recurses, so that hostile nesting costs heap, never stack.

mod compiled;
mod elements;
mod errors;
mod falls;
mod fragment;
mod lines;
mod members;
mod operands;
mod parse;
mod segments;
mod statements;
mod tokens;
mod walk;

use std::sync::OnceLock;

use tree_sitter::{Node, Tree};
use tree_sitter_language::LanguageFn;

pub use self::operands::parted;
pub use self::parse::{left_open, parse};
pub use self::tokens::{blank, blanked, tokens};

use self::compiled::Compiled;
use super::{Excess, Fall, Grammar, Hole, Implied, Kind, Member, Outline, Statement, SyntaxError};
use crate::text::Span;
use crate::text::indent::LineRole;

/// How often a file is written another way, and read again: one end of a statement may hide the next.
const MOST_READINGS: usize = 3;

/// A language as tree-sitter and its folder tell it.
pub struct TreeGrammar {
    tables: Tables,
    compiled: OnceLock<Compiled>,
}

/// What a language's folder says.
pub struct Tables {
    /// The parser.
    pub parser: LanguageFn,
    /// The text of `segments.scm`.
    pub segments: &'static str,
    /// Nodes that are comments.
    pub comments: &'static [&'static str],
    /// How a comment begins that documents what stands below it, longest first where it matters.
    pub doc_comments: &'static [&'static str],
    /// How many blank lines may part such a comment from what it documents.
    pub doc_gap: usize,
    /// How a comment begins that belongs to what is around it, not to what stands below it (`//!`), or that only
    /// looks like a doc comment (`////`).
    pub other_comments: &'static [&'static str],
    /// Nodes that are decorators, attributes, annotations.
    pub decorators: &'static [&'static str],
    /// Nodes that hold modifiers, decorators among them.
    pub modifiers: &'static [&'static str],
    /// Nodes that belong to the one definition inside them (`export …`), as long as it is the only one.
    pub wrappers: &'static [&'static str],
    /// What ends a member without being part of its node: the list's node and the token.
    pub terminators: &'static [(&'static str, &'static str)],
    /// Nodes around an owner's name, and where in them to look on for it.
    pub owners: &'static [(&'static str, Within)],
    /// Nodes that are strings and may hold line ends.
    pub strings: &'static [&'static str],
    /// Those of them in which a backslash at the end of a line takes the blanks that the next begins with along.
    pub joined_strings: &'static [&'static str],
    /// Nodes whose children are statements or members, one beside the other.
    pub lists: &'static [&'static str],
    /// Those of them that are what another of them has between its braces.
    pub inner_lists: &'static [&'static str],
    /// Nodes that may have nothing between two commas.
    pub sparse_lists: &'static [&'static str],
    /// Nodes that hold tokens in brackets, of which a comma or a `;` parts some from others.
    pub token_lists: &'static [&'static str],
    /// Nodes that the grammar puts around a statement or not, as what follows it has it, and that statement: its kind is the
    /// inner one's.
    pub optional_wrappers: &'static [(&'static str, &'static str)],
    /// Nodes that count as statements wherever they stand, beside those called `…_statement`.
    pub clauses: &'static [&'static str],
    /// Statements and members that end with a `;`, which may be left out at the end of a line; none where it may not.
    pub terminated: &'static [&'static str],
    /// Words that belong to the member behind them even on a later line, unless a `;` parts them, though the parser takes
    /// each for a member of its own.
    pub prefixes: &'static [&'static str],
    /// What finds the statements that stand for something told elsewhere, in a language that has such.
    pub implied: Option<FindImplied>,
    /// What a `switch` is made of whose cases may fall through to the next, in a language that has such.
    pub switches: Option<&'static Switches>,
    /// What says whether a member of a list has to stand first in it, if only its like is ahead of it.
    pub leads: Option<Leads>,
    /// What gives the text that is to be read in the place of another, byte for byte as long, in a language of which the grammar does
    /// not know everything.
    pub legible: Option<Legible>,
    /// What finds the errors of a language whose grammar here takes more than the language has.
    pub early: Option<FindErrors>,
    /// What to put around a fragment that does not stand by itself.
    pub wraps: &'static [Wrap],
}

/// The nodes of a `switch`.
pub struct Switches {
    /// Nodes that hold cases.
    pub lists: &'static [&'static str],
    /// Cases: labels that end with `:`, and statements.
    pub clauses: &'static [&'static str],
    /// The last statement of a case that falls through; without it, each does whose last statement does not leave it.
    pub fallthrough: Option<&'static str>,
    /// Statements that leave a case.
    pub leaving: &'static [&'static str],
    /// How statements begin that never end.
    pub never: &'static [&'static str],
}

/// Returns those of a file with this tree, in file order.
pub type FindImplied = fn(tree: &Tree, source: &[u8]) -> Vec<Implied>;

/// Says it of `member`, in a list of kind `list` that stands in a node of kind `around`.
pub type Leads = fn(member: Node<'_>, list: &str, around: &str, source: &[u8]) -> bool;

/// Returns the errors of a file with this tree, whose own are `own`, in file order.
pub type FindErrors = fn(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError>;

/// Returns what to read in the place of a file with this tree, if there is such.
pub type Legible = fn(tree: &Tree, source: &[u8]) -> Option<Vec<u8>>;

/// Where in a node to look for an owner's name.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// In the child of this field.
    Field(&'static str),
    /// In the first named child.
    First,
    /// In the only child between two brackets; with more children there is no name.
    Only,
}

/// A surrounding for a piece of code that would stand inside a segment of one of these kinds.
pub struct Wrap {
    /// The kinds of the segment around it.
    pub parents: &'static [Kind],
    /// What goes ahead; ends with a line feed.
    pub before: &'static str,
    /// What goes behind; begins with a line feed, for the fragment may end with a comment.
    pub after: &'static str,
}

impl TreeGrammar {
    /// Returns the grammar; its query is compiled when a file first needs it.
    pub const fn new(tables: Tables) -> TreeGrammar {
        TreeGrammar {
            tables,
            compiled: OnceLock::new(),
        }
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Compiled::new(&self.tables))
    }

    /// Parses `source`; `None` when that takes too much work.
    fn parse(&self, source: &[u8]) -> Option<Tree> {
        let language = &self.compiled().language;
        let mut tree = parse(language, source)?;
        let Some(legible) = self.tables.legible else {
            return Some(tree);
        };
        let mut read = std::borrow::Cow::Borrowed(source);
        for _ in 0..MOST_READINGS {
            let Some(text) = legible(&tree, &read) else {
                break;
            };
            let again = parse(language, &text)?;
            if errors::of(&again, &text).len() > errors::of(&tree, &read).len() {
                break;
            }
            (tree, read) = (again, text.into());
        }
        Some(tree)
    }

    fn errors_in(&self, tree: Option<&Tree>, source: &[u8]) -> Vec<SyntaxError> {
        let Some(tree) = tree else {
            return vec![SyntaxError {
                offset: 0,
                message: "too intricate to parse".to_owned(),
            }];
        };
        let own = errors::of(tree, source);
        match self.tables.early {
            Some(early) => early(tree, source, own),
            None => own,
        }
    }

    /// Returns the segments of a file with this tree, if it has one.
    fn outline_of(&self, tree: Option<&Tree>, source: &[u8]) -> Outline {
        let read = tree
            .ok_or(Excess::Work)
            .and_then(|tree| walk::symbols(self.compiled(), tree, source));
        match read {
            Ok(symbols) => Outline {
                symbols,
                sound: false,
                excess: None,
            },
            Err(excess) => Outline::exceeding(excess),
        }
    }
}

impl Grammar for TreeGrammar {
    fn outline(&self, source: &[u8]) -> Outline {
        self.outline_of(self.parse(source).as_ref(), source)
    }

    fn fragment_outline(&self, fragment: &[u8], parent: Option<Kind>) -> Outline {
        fragment::outline(self, fragment, parent)
    }

    fn errors(&self, source: &[u8]) -> Vec<SyntaxError> {
        self.errors_in(self.parse(source).as_ref(), source)
    }

    fn parses(&self, source: &[u8]) -> bool {
        self.parse(source)
            .is_some_and(|tree| errors::of(&tree, source).is_empty())
    }

    fn read(&self, source: &[u8]) -> (Outline, Vec<SyntaxError>) {
        let tree = self.parse(source);
        let outline = self.outline_of(tree.as_ref(), source);
        let sound = tree
            .as_ref()
            .is_some_and(|tree| errors::of(tree, source).is_empty());
        (
            Outline { sound, ..outline },
            self.errors_in(tree.as_ref(), source),
        )
    }

    fn statements(&self, source: &[u8], parent: Option<Kind>) -> Option<Vec<Statement>> {
        fragment::statements(self, source, parent)
    }

    fn lead(&self, source: &[u8], body: Option<Span>) -> Option<Span> {
        statements::lead(self.compiled(), &self.parse(source)?, source, body)
    }

    fn elements(&self, source: &[u8], parent: Option<Kind>) -> Vec<Span> {
        fragment::elements(self, source, parent)
    }

    fn holes(&self, source: &[u8]) -> Vec<Hole> {
        if self.tables.sparse_lists.is_empty() {
            return Vec::new();
        }
        self.parse(source)
            .map(|tree| elements::holes(self.compiled(), &tree))
            .unwrap_or_default()
    }

    fn members(&self, source: &[u8], definitions: &[Span]) -> Vec<Vec<Member>> {
        let tree = self.parse(source);
        let of = |span: &Span| {
            tree.as_ref()
                .map(|tree| members::of(tree, source, *span))
                .unwrap_or_default()
        };
        definitions.iter().map(of).collect()
    }

    fn implied(&self, source: &[u8]) -> Vec<Implied> {
        let Some(implied) = self.tables.implied else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| implied(&tree, source))
            .unwrap_or_default()
    }

    fn falls(&self, source: &[u8]) -> Vec<Fall> {
        let Some(switches) = self.tables.switches else {
            return Vec::new();
        };
        self.parse(source)
            .map(|tree| falls::of(switches, &tree, source))
            .unwrap_or_default()
    }

    fn parted_operands(&self, (old, new): (&[u8], &[u8]), pairs: &[(Span, Span)]) -> Vec<bool> {
        operands::parted(|source| self.parse(source), (old, new), pairs)
    }

    fn ends_lines_freely(&self) -> bool {
        !self.tables.terminated.is_empty()
    }

    fn unterminated(&self, fragment: &[u8], parent: Option<Kind>) -> Option<usize> {
        fragment::unterminated(self, fragment, parent)
    }

    fn line_roles(&self, fragment: &[u8], _parent: Option<Kind>) -> Vec<LineRole> {
        match fragment::read(self, fragment) {
            Some(reading) => lines::roles(self.compiled(), &reading, fragment),
            None => lines::plain_roles(fragment),
        }
    }

    fn comments(&self, source: &[u8]) -> Vec<Span> {
        self.parse(source)
            .map(|tree| lines::comments(self.compiled(), &tree, source))
            .unwrap_or_default()
    }
}

#[cfg(test)]
pub(crate) mod tests;
