//! Finds a block by its name: a block of a template, a region between comments, a block of the template that a scaffolded
//! file was made from, and else the definition or section that goes by that name.
//!
//! Whoever asks is told which segment was found, never which of these it was looked for in vain: why a way was not gone
//! is an aside, for those who want to hear it.

mod describe;
mod find;
pub(super) mod model;
mod read;

pub use describe::described;
pub use find::{BlockOrDefinition, find};
pub use model::{Aside, Block, BlockKind, Blocks, Inner};
pub use read::{blocks, marked_blocks};
