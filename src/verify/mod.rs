//! Proving a plan: `check` looks at it with this program's own eyes, `judge` has others look at it. What passes both is
//! `Verified`.
//!
//! `check`, in order: drift (nothing but the splices changed), syntax (no new error, and no tag of a template without its
//! counterpart), structure (no closing tag of a page lost), inventory (no segment lost or renamed beside the edits) with
//! removals (none inside of them that no operation asks for), repeats (no line twice that was there once), joins (no two lines or words
//! become one), continued (no command beside them goes on with another line), twice (definitions that take the place of others), labels (those of links in Markdown), neighbours (no other statement
//! beside them), operands (an expression in the place of one is one, else a warning), placeholders (no comment that stands for code left out). Inventory, removals, twice and neighbours hold the scripts of
//! a page, too (`embedded`).
//! `judge`: the repository's formatters, whose result is checked in turn, and its validators. Drift is fatal in every mode;
//! the others become warnings in interactive mode.

mod apart;
mod branches;
mod check;
mod child;
mod continued;
pub mod drift;
mod edited_file;
mod embedded;
mod findings;
pub mod inventory;
mod joins;
mod labels;
pub mod neighbours;
mod operands;
pub mod parse;
pub mod placeholder;
pub mod removals;
mod renamed;
pub mod repeats;
mod rewritten;
pub mod structure;
pub mod template;
mod touched_spans;
pub mod twice;
mod verified;

pub use check::{Checked, Look, Rejected, check, syntax};
pub use verified::{Formatted, Judged, Verified, conclude, with_formatting};
