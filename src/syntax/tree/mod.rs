//! The one engine for every language that tree-sitter reads: a grammar, a query and a few tables of node names in,
//! `Grammar` out. What is peculiar to a language is in its folder as data; nothing here knows one by name.
//!
//! The query (`segments.scm`) says what is a segment. Its captures:
//!
//! | capture | on |
//! |---|---|
//! | `@function`, `@class`, … (every `Kind`) | the node that is the definition; of several patterns for one node the first wins |
//! | `@name` | its name; a node that two matches of one pattern name differently names several things and is skipped |
//! | `@body` | what the header introduces, in braces or an expression (default: the node's field `body`) |
//! | `@value` | the same, after a `=` |
//! | `@owner` | a name to put before its own (`func (w *Worker) Process`) |
//! | `@scope` | a node without a name of its own that owns what is directly inside (`impl Worker { … }`, with `@owner`) |
//! | `@unnamed` | a node that has no name: what is inside cannot be addressed and is left out |
//! | `@claimed` | a node that an earlier pattern has taken care of, so that no later pattern takes it |
//! | `@announced` | beside a definition: it is written elsewhere, and left out where that is in the same place (`int f(int);`) |
//! | `@_x` | a node that only the query itself asks about |
//!
//! Known limits: definitions nested deeper than `MAX_NESTING` are left out; a parse that takes too much work (`parse.rs`)
//! is given up, and the file then has no segments and one error.
//!
//! Invariant: nothing here recurses, so that hostile nesting costs heap, never stack.
//!
//! | file | holds |
//! |---|---|
//! | `tables` | what a language's folder says |
//! | `compiled` | its tables by the numbers of the nodes, and its query |
//! | `parser` | which parser a build has |
//! | `query` | the query's language: text → patterns, tree → matches |
//! | `engine` | the grammar, and how it parses a file |
//! | `grammar` | what is asked of it |
//! | `parse`, `tokens`, `errors` | bytes → tree, its tokens, and where it does not parse |
//! | `visit` | a tree, node by node |
//! | `reserved` | reserved words that the grammar has for names |
//! | `segments`, `walk` | tree → the matches of the query → symbols |
//! | `reading`, `fragment` | a piece of code that may not stand by itself |
//! | `lines` | the role of each line, and the comments |
//! | `judge` | for tests: what tree-sitter's own queries find |
//! | `bodies` | tree → what the bodies of functions are, and what constructors begin with |
//! | `attributes`, `statements`, `falls`, `elements`, `items`, `members`, `names`, `operands` | tree → the other answers |

mod attributes;
mod bodies;
mod compiled;
mod elements;
mod engine;
mod errors;
mod falls;
mod fragment;
mod grammar;
mod items;
#[cfg(test)]
mod judge;
mod lines;
mod members;
mod names;
mod operands;
mod parse;
mod parser;
mod query;
mod reading;
mod reserved;
mod segments;
mod statements;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod tokens;
mod visit;
mod walk;

pub use engine::TreeGrammar;
pub use operands::parted;
pub use parse::{left_open, parse};
pub use parser::GrammarParser;
pub(crate) use parser::parser;
pub use reserved::{ReservedWords, reserved_words};
pub use tables::{
    Decorates, Falls, FindAccess, FindDoubtful, FindErrors, FindImplied, FindNames, FindVariables,
    HeaderName, Leads, Legible, MustNotRead, Switches, Tables, Unrun, Within, Wrap,
};
pub use tokens::{blank, blanked, tokens};
pub use visit::visit;
