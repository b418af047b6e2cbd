//! What tells agents of this program: a block for `AGENTS.md`, a skill, a plugin, and the entries that make a client start the
//! server.
//!
//! Pure: `git segedit agents` prints them, or applies the operations that put them into a repository.
//!
//! | file | holds |
//! |---|---|
//! | `guide`, `guide_file` | the guides, and the files that each is made of |
//! | `client` | clients, and where each is told of a server |
//! | `placing` | the operations that put a guide into the files that are there |

mod client;
mod guide;
mod guide_file;
mod placing;

pub(crate) use client::AgentClient;
pub(crate) use guide::Guide;
pub(crate) use guide_file::{GuideFile, GuideRole};
pub(crate) use placing::placing_operations;
