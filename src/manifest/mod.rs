//! `Manifest`: an operation file, checked. No serde in sight; whoever holds one need not check again.
//!
//! Strings became types at the door: paths are `RepoPath`, addresses are `Selector`, patterns compile. Every
//! complaint of a file is found at once by `yaml::read`. Deliberately not here: anything that needs a repository.

pub mod address;
pub mod batch;
mod command_line;
#[cfg(test)]
mod corpus;
mod counting;
pub mod ending;
pub mod fields;
mod lexical;
mod model;
mod operation;
pub mod pattern;
mod raw;
mod rules;
pub mod schema;
pub mod selector;
mod short_text;
pub mod verbs;
pub mod words;
pub mod yaml;

pub use address::Address;
pub use batch::Overrides;
pub use model::{Author, CheckMode, Destination, Manifest, ManifestText, ResolveOrder};
pub use operation::{
    AllowRemove, AttributeName, CallersRule, Choice, Expect, Files, Indent, ItemName, MatchLevel,
    MovePlace, OnUnsure, Operation, Part, Position, RenameTerms, Scoped, Verb,
};
pub use pattern::{Flags, Pattern};
pub use rules::{ImportsRule, NameRules, NamesRule};
pub use selector::{
    BlockSelector, ElementSelector, HeadingSelector, KeySelector, LineRange, SectionSelector,
    Selector, SymbolComponent, SymbolSelector,
};
