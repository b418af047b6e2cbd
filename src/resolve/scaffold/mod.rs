//! The blocks of a scaffolded file: one whose header names the template that it was made from.
//!
//! The template is read with those that it extends, and what they render is laid beside the file. What the template says
//! outside of a block stands in the file as well, so that it shows where the block begins and ends, whatever people
//! have written into it since: *what stands between the template's own lines around a block belongs to the block*.
//! A block of which one end is not certain is not offered.
//!
//! | file | holds |
//! |---|---|
//! | `header` | the comment that names the template |
//! | `chain` | that template, and those that it extends |
//! | `skeleton` | what they render → lines, holes and the ends of blocks |
//! | `align` | skeleton × file → where each block is, where that is certain |

mod align;
mod blocks;
mod chain;
mod header;
mod skeleton;

pub use blocks::blocks;
pub use chain::{Stop, Tier, chain};
pub use header::{Header, header};
