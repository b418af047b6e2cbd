//! `callers: true`: the calls of a Python function follow where its parameters change.
//!
//! The parameters before and after are read from the files before and after the batch's own edits; so are the calls, on what those leave, so
//! that what the batch wrote itself is left alone.
//!
//! | file | holds |
//! |---|---|
//! | `steps` | the way in: one step for each operation whose calls follow |
//! | `change` | what became of the parameters |
//! | `binding` | which argument goes to which parameter, and what a call says afterwards |
//! | `rewrite` | a list of arguments as it is laid out |

mod binding;
mod change;
mod rewrite;
mod steps;

pub(in crate::plan) use steps::steps;
