//! Proving a candidate: it is held to what nobody asked to change. Pure: bytes in, refusals out; no files, no processes.
//!
//! | file | holds |
//! |---|---|
//! | `check` | the way in: a candidate before the checks; what passes is `Checked` |
//! | `verified` | what formatters and validators came to; what passes is `Verified` |
//! | `findings` | runs the checks of each file, in order; what they have against a plan, by what becomes of it |
//! | `drift` | nothing but the splices changed |
//! | `parse`, `brackets` | no new error of syntax |
//! | `template`, `branches`, `child` | no tag of a template without its counterpart, no branch cut |
//! | `conditions` | no `#endif` without its `#if`, nothing in another branch of one |
//! | `access` | no member of a class below another `private:` |
//! | `attributes` | no member, parameter or statement without the attribute above it |
//! | `tags_joined` | no pair of tags that has what was in the next one |
//! | `structure` | no closing tag of a page lost |
//! | `inventory`, `renamed` | no segment beside the edits lost or renamed |
//! | `parents` | what is in a key or class beside the edits is in no other afterwards |
//! | `removals`, `rewritten` | none inside of them gone that no operation asks for |
//! | `repeats`, `joins`, `continued`, `folded` | no line twice, no two lines one, no command that goes on with another line |
//! | `twice`, `labels` | no definition, key or link that takes the place of another |
//! | `neighbours`, `apart` | no other statement beside the edits; of several operations, each for itself |
//! | `operands` | an expression in the place of an operand is one, else a warning |
//! | `tuples` | a tuple of one element keeps its comma, else a warning |
//! | `names`, `misused` | no name newly used that nothing defines; nothing newly used as it cannot be |
//! | `quotes` | a text of YAML that loses its quotes, and is none any more, is a warning |
//! | `placeholder` | no comment that stands for code left out |
//! | `embedded` | the scripts and styles of a page, held to the same |
//! | `edited_file`, `touched_spans` | the two files of one edit, and what of their definitions it touches |
//!
//! Drift is fatal in every mode; the others become warnings in interactive mode.

mod access;
mod apart;
mod attributes;
mod brackets;
mod branches;
mod check;
mod child;
mod conditions;
mod continued;
pub mod drift;
mod edited_file;
mod embedded;
mod findings;
mod folded;
pub mod inventory;
mod joins;
mod labels;
#[cfg(test)]
mod marked;
mod misused;
mod names;
pub mod neighbours;
mod operands;
mod parents;
pub mod parse;
pub mod placeholder;
mod quotes;
pub mod removals;
mod renamed;
pub mod repeats;
mod rewritten;
pub mod structure;
mod tags_joined;
pub mod template;
mod touched_spans;
mod tuples;
pub mod twice;
mod verified;

pub use check::{CheckResult, Checked, Rejected, check, syntax};
pub use verified::{Formatted, Judged, Verified, conclude, with_formatting};
