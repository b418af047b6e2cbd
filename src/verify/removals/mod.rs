//! Removals: what was inside of an edited range and is not in the candidate, neither under that name at that place nor
//! elsewhere in the batch. All of it is reported; what no operation asks for is refused.
//!
//! Asked for is what `delete` names and all inside of it, what a `text` quotes by name, what `allow_remove` allows, and
//! what the same batch puts elsewhere or under a renamed parent.

mod attached;
mod chained;
mod decorators;
mod directives;
mod exchange;
mod halves;
mod headers;
mod heads;
mod items;
mod lines;
mod links;
mod losses;
mod members;
mod overloads;
mod shrink;
mod weigh;
mod words;

pub use exchange::FileExchanged;
pub use losses::{Losses, Went};
pub use weigh::{Weighed, weigh};
