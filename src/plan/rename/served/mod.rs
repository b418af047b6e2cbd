//! A definition gets another name in a language whose scopes this program does not know: a language server is asked, and what it says
//! is not taken for all there is.
//!
//! Every occurrence of the word in the snapshot is looked at. What the server names is certain; of each other one in code it is asked where
//! that is defined: elsewhere, then it is another; nowhere, or at one of the places that it did not leave out, then it is not
//! certain. What it would write is held to the word: nothing else may change. Last it is shown the files as they would be,
//! and each place has to mean what it meant before; and nothing may be wrong in any file that was not before.
//!
//! | file | holds |
//! |---|---|
//! | `renaming` | the way in |
//! | `survey` | every occurrence of a word, and whom to ask |
//! | `verdicts` | what the server says of each |
//! | `edits` | what the server would write, held to the word |
//! | `renamed_files` | the files as they would be |
//! | `meanings` | whether each place means afterwards what it meant |
//! | `errors` | whether the server finds errors afterwards that were not there before |

mod edits;
mod errors;
mod meanings;
mod renamed_files;
mod renaming;
mod survey;
mod verdicts;

pub(crate) use renaming::references;
pub(super) use renaming::{offer, renaming, settle};
