//! Dockerfiles: stages, and the variables that they set.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and its grammar |
//! | `instruction` | lines → one instruction, with what it goes on in |
//! | `words` | the words of an instruction, and the here-documents that it announces |
//! | `reader` | instructions → stages, variables and errors |

mod instruction;
mod language;
mod reader;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use language::{DOCKERFILE, is_dockerfile};
