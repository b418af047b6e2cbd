//! Neighbours: the statements beside an edit are the statements that stood there before, of the same kind, with the same
//! tokens, in the same blocks. This catches what parses and defines the same names: JavaScript in which a line without
//! its `;` takes the next one up, a comment that swallows the rest of its line, a statement that left its `if`.
//!
//! Both files are walked in step. Beside the edits is what no splice reaches into; around them is what holds one, and
//! what is in a splice may be anything. Since bytes beside the edits are the same in both files, two statements of one
//! kind that begin and end at the same of those bytes have the same tokens. Who names bytes (`text`, `pattern`, `lines`,
//! a formatter) may make them a part of what they touch; who names a place may not.
//!
//! A directive or docstring is one because of where it stands, and neither becomes one nor ceases to be one; nor does what counts only
//! as the first line of its file (`firsts`).
//!
//! So is what a statement stands for that repeats another: in a group of Go's constants an entry without a value of its own
//! repeats the one above it, and may have its own number in it.
//!
//! Known limits: which of several blocks of one statement another stands in is told by the clause around it, which
//! Java's `else` is not. A page has no statements; its scripts are given one by one, as files.
//!
//! | file | holds |
//! |---|---|
//! | `compare` | the way in: which checks a language gets |
//! | `restated` | the checks of statements, the surest first |
//! | `guard`, `touched`, `stretches` | the edit: what it touches on both sides, which stretches have to be read |
//! | `beside` | the statements beside it, and how those of two files differ |
//! | `changed`, `refusal` | what would become of a neighbour, and the words for it |
//!
//! Each other file holds one check, which its first line says.

mod anchors;
mod beside;
mod brought;
mod changed;
mod codes;
mod comments;
mod compare;
mod documents;
mod doubtful;
mod elements;
mod extended;
mod falls;
mod firsts;
mod forgotten;
mod guard;
mod holes;
mod items;
mod joined;
mod left;
mod listed;
mod lists;
mod lone;
mod moved;
mod obeyed;
mod outdented;
mod preamble;
mod prefix;
mod refusal;
mod reopened;
mod restated;
mod scalars;
mod split;
mod strays;
mod stretches;
mod tails;
#[cfg(test)]
mod tests;
mod touched;
mod values;

pub use compare::{ComparedStatements, check, check_code, compare};
pub(super) use joined::is_anothers;
