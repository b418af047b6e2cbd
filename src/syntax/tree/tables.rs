//! `Tables`: what the folder of a language says of its grammar.

use super::parser::GrammarParser;
use crate::syntax::{
    AccessBody, Doubtful, GrammarGaps, Implied, ScriptNames, SegmentKind, SyntaxError,
    TypedVariables,
};
use tree_sitter::{Node, Tree};

/// What a language's folder says.
pub struct Tables {
    /// The parser.
    pub parser: GrammarParser,
    /// The text of `segments.scm`.
    pub segments: &'static str,
    /// Nodes that are comments.
    pub comments: &'static [&'static str],
    /// How a comment begins that documents what is below it, longest first where it matters.
    pub doc_comments: &'static [&'static str],
    /// How many blank lines may part such a comment from what it documents.
    pub doc_gap: usize,
    /// How a comment begins that belongs to what is around it, not to what is below it (`//!`), or that only
    /// looks like a doc comment (`////`).
    pub other_comments: &'static [&'static str],
    /// Nodes that are decorators, attributes, annotations.
    pub decorators: &'static [&'static str],
    /// What says of a member of a list that it decorates what is below it, in a language where its kind says nothing of that.
    pub decorates: Option<Decorates>,
    /// Nodes that hold modifiers, decorators among them.
    pub modifiers: &'static [&'static str],
    /// Nodes that belong to the one definition inside them (`export …`), as long as it is the only one.
    pub wrappers: &'static [&'static str],
    /// What ends a member without being part of its node: the list's node and the token.
    pub terminators: &'static [(&'static str, &'static str)],
    /// What of a wrapper is written ahead of the one thing in it and counts as none: `<typename T>`.
    pub wrapper_heads: &'static [&'static str],
    /// What of a wrapper is said of all things in it, and counts as none: `final int` of `final int a, b`.
    pub wrapper_types: &'static [&'static str],
    /// Nodes around an owner's name, and where in them to look on for it.
    pub owners: &'static [(&'static str, Within)],
    /// Nodes around a definition's name, and where in them to look on for it: a declarator.
    pub names: &'static [(&'static str, Within)],
    /// Nodes whose text is a name, dots and all: what is before the last dot names what it is in, and one that begins or ends with
    /// a dot is a word of its own, in quotes.
    pub dotted: &'static [&'static str],
    /// What gives the name of a definition that is named by its header, in a language that has such.
    pub header_name: Option<HeaderName>,
    /// Tokens that end a body which nothing opens but the end of the header: `end`.
    pub body_ends: &'static [&'static str],
    /// Nodes that are strings and may hold line ends.
    pub strings: &'static [&'static str],
    /// Those of them in which a backslash at the end of a line takes the blanks that the next begins with along.
    pub joined_strings: &'static [&'static str],
    /// Nodes that hold texts, and in which the blanks that a line begins with count for nothing.
    pub loose_strings: &'static [&'static str],
    /// Nodes that hold a text which documents what is below: its lines move with it, as those of a comment do.
    pub descriptions: &'static [&'static str],
    /// What comments begin with that are none unless their lines begin with them: `=begin`.
    pub column_comments: &'static [&'static str],
    /// Nodes that have to be ahead of every definition of the file.
    pub imports: &'static [&'static str],
    /// Nodes whose children are statements or members, one beside the other.
    pub lists: &'static [&'static str],
    /// Those of them that are what another of them has between its braces.
    pub inner_lists: &'static [&'static str],
    /// Nodes whose members commas part, where members are segments.
    pub comma_lists: &'static [&'static str],
    /// Other nodes whose members are what a type is made of.
    pub component_lists: &'static [&'static str],
    /// Nodes whose members are segments only where the whole list is the value of one.
    pub value_lists: &'static [&'static str],
    /// Nodes around the value of a segment: what is first in one of them is the value still, and in a type every part is.
    pub around_values: &'static [&'static str],
    /// Words that begin a block in an expression, where no brace does: `do` of Ruby.
    pub block_words: &'static [&'static str],
    /// Nodes that may have nothing between two commas.
    pub sparse_lists: &'static [&'static str],
    /// Nodes that hold tokens in brackets, of which a comma or a `;` parts some from others.
    pub token_lists: &'static [&'static str],
    /// Nodes that the grammar puts around a statement or not, as what follows it has it, and that statement: its kind is the
    /// inner one's.
    pub optional_wrappers: &'static [(&'static str, &'static str)],
    /// Nodes that count as statements wherever they are, beside those called `…_statement`.
    pub clauses: &'static [&'static str],
    /// Those of them that end with the last statement in them, as no token of their own says where.
    pub open_clauses: &'static [&'static str],
    /// Nodes that take one statement without braces (`if`, `while`), in a language that calls it an expression or wraps it: what is behind
    /// `)`, `else` or `do`, or in the field of the body.
    pub headed: &'static [&'static str],
    /// Statements and members that end with a `;`, which may be left out at the end of a line; none where it may not.
    pub terminated: &'static [&'static str],
    /// Words that belong to the member after them even on a later line, unless a `;` parts them, though the parser takes
    /// each for a member of its own.
    pub prefixes: &'static [&'static str],
    /// What finds the statements that stand for something written elsewhere, in a language that has such.
    pub implied: Option<FindImplied>,
    /// What a `switch` is made of whose cases may fall through to the next, in a language that has such.
    pub switches: Option<&'static Switches>,
    /// What finds the variables that are declared together with their type, in a language that has such.
    pub typed_variables: Option<FindVariables>,
    /// Nodes in the header of a constructor that say what it begins with, with their `:` or right behind it.
    pub initialisers: &'static [&'static str],
    /// What says of an expression in braces, which is the body of a function, that what is in it never runs.
    pub unrun: Option<Unrun>,
    /// What finds the labels that say who may use the members below them, in a language that has such.
    pub access: Option<FindAccess>,
    /// What finds the statements that an older version of the language would have outside of their block, in a language that has such.
    pub doubtful: Option<FindDoubtful>,
    /// What says whether a member of a list has to be first in it, if only its like is before it.
    pub leads: Option<Leads>,
    /// What gives the text that is to be read in the place of another, byte for byte as long, in a language of which the grammar does
    /// not know everything.
    pub legible: Option<Legible>,
    /// What finds the errors of a language whose grammar here takes more than the language has.
    pub early: Option<FindErrors>,
    /// Finds its names, and what its scopes say of each.
    pub script_names: Option<FindNames>,
    /// What says of a text that the grammar's scanner ends the process over it, so that it is not to be read.
    pub unreadable: Option<MustNotRead>,
    /// What a piece of code has to begin with to be read as such, unless it begins with the first letter of that.
    pub preamble: &'static str,
    /// What the grammar lacks of its language, if it finds errors in correct files.
    pub gaps: Option<GrammarGaps>,
    /// What to put around a fragment that does not stand by itself.
    pub wraps: &'static [Wrap],
}

impl Tables {
    /// Returns tables that say nothing but how to parse, and what a segment is.
    pub const fn of(parser: GrammarParser, segments: &'static str) -> Tables {
        Tables {
            parser,
            segments,
            comments: &["comment"],
            doc_comments: &[],
            doc_gap: 0,
            other_comments: &[],
            decorators: &[],
            decorates: None,
            modifiers: &[],
            wrappers: &[],
            terminators: &[],
            wrapper_heads: &[],
            wrapper_types: &[],
            owners: &[],
            names: &[],
            dotted: &[],
            header_name: None,
            body_ends: &[],
            strings: &[],
            joined_strings: &[],
            loose_strings: &[],
            descriptions: &[],
            column_comments: &[],
            imports: &[],
            lists: &[],
            inner_lists: &[],
            comma_lists: &[],
            component_lists: &[],
            value_lists: &[],
            around_values: &[],
            block_words: &[],
            sparse_lists: &[],
            token_lists: &[],
            optional_wrappers: &[],
            clauses: &[],
            open_clauses: &[],
            headed: &[],
            terminated: &[],
            prefixes: &[],
            implied: None,
            switches: None,
            typed_variables: None,
            initialisers: &[],
            unrun: None,
            access: None,
            doubtful: None,
            leads: None,
            legible: None,
            early: None,
            script_names: None,
            unreadable: None,
            preamble: "",
            gaps: None,
            wraps: &[],
        }
    }
}

/// The nodes of a `switch`.
pub struct Switches {
    /// Nodes that hold cases.
    pub lists: &'static [&'static str],
    /// Cases: labels that end with `:`, and statements.
    pub clauses: &'static [&'static str],
    /// What a label has in it, one of them at least.
    pub label_words: &'static [&'static str],
    /// The token that a label ends with.
    pub label_end: &'static str,
    /// Which cases fall through.
    pub falls: Falls,
}

/// Which cases of a `switch` go on with the next.
pub enum Falls {
    /// Those that end with such a statement or token.
    Saying(&'static str),
    /// Those without a statement.
    Empty,
    /// Those, and those whose last statement does not leave them.
    Unless {
        /// Statements that leave a case.
        leaving: &'static [&'static str],
        /// How statements begin that never end.
        never: &'static [&'static str],
    },
}

/// Returns those of a file with this tree, in file order.
pub type FindImplied = fn(tree: &Tree, source: &[u8]) -> Vec<Implied>;

/// Returns those of a file with this tree, in file order.
pub type FindDoubtful = fn(tree: &Tree, source: &[u8]) -> Vec<Doubtful>;

/// Returns the classes of a file with this tree, in the order in which they begin.
pub type FindAccess = fn(tree: &Tree, source: &[u8]) -> Vec<AccessBody>;

/// Returns those of a file with this tree, in the order in which they begin.
pub type FindVariables = fn(tree: &Tree, source: &[u8]) -> Vec<TypedVariables>;

/// Says what `body` is, if it is such.
pub type Unrun = fn(body: Node<'_>) -> Option<&'static str>;

/// Returns the name of `definition`; `None` where no address could hold it.
pub type HeaderName = fn(definition: Node<'_>, source: &[u8]) -> Option<String>;

/// Says it of `member`.
pub type Decorates = fn(member: Node<'_>, source: &[u8]) -> bool;

/// Says it of `member`, in a list of kind `list` that is in a node of kind `around`.
pub type Leads = fn(member: Node<'_>, list: &str, around: &str, source: &[u8]) -> bool;

/// What finds the names of a file; `None` of one that does not parse.
pub type FindNames = fn(tree: &Tree, source: &[u8]) -> Option<ScriptNames>;

/// Returns the errors of a file with this tree, whose own are `own`, in file order.
pub type FindErrors = fn(tree: &Tree, source: &[u8], own: Vec<SyntaxError>) -> Vec<SyntaxError>;

/// Returns what to read in the place of a file with this tree, if there is such.
pub type Legible = fn(tree: &Tree, source: &[u8]) -> Option<Vec<u8>>;

/// Says that a text must not be read.
pub type MustNotRead = fn(source: &[u8]) -> bool;

/// Where in a node to look for a name.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// In the child of this field.
    Field(&'static str),
    /// In the first named child.
    First,
    /// In the last named child.
    Last,
    /// In the only child between two brackets; with more children there is no name.
    Only,
    /// In the child of the second field; that of the first names what it is in.
    Scoped(&'static str, &'static str),
}

/// A surrounding for a piece of code that would be inside a segment of one of these kinds.
pub struct Wrap {
    /// The kinds of the segment around it.
    pub parents: &'static [SegmentKind],
    /// What goes before; ends with a line feed.
    pub before: &'static str,
    /// What goes after; begins with a line feed, for the fragment may end with a comment.
    pub after: &'static str,
}
