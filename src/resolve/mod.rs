//! Selector × Snapshot → Target, or why not, with the nearest names.
//!
//! A `Target` is an address found: a range of one file, widened to whole lines where it has them to itself, and its
//! description. Deliberately not here: what is done with it (plan).

pub mod allowance;
pub mod block;
pub mod called;
mod choice;
pub mod document;
pub mod element;
mod found;
mod heading;
pub mod items;
pub mod key;
mod locate;
pub mod lookup;
pub mod matching;
pub mod named;
mod one_segment;
pub mod overload;
pub mod parts;
pub mod patterns;
pub mod places;
pub mod reading;
pub mod refusal;
pub mod scaffold;
mod scope;
pub mod section;
pub mod segment;
mod segments;
mod settled;
pub mod symbol;
mod text_match;

pub use allowance::Budget;
pub use block::{Block, Blocks, marked_blocks};
pub use called::{Called, CalledKind};
pub use document::Document;
pub use found::{Found, Purpose, Target};
pub use locate::{count, locate};
pub use named::{Definition, is_code};
pub use places::{Quoted, matches, quoted};
pub use reading::Reading;
pub use refusal::selector_word;
pub use segment::Segment;
pub use segments::{segments, segments_called};
pub use text_match::{Match, Matches, Places};
