//! Definitions: a function, a class, a variable or a part of one is replaced, gets a neighbour or a child, or goes.

pub(super) mod docstring;
mod initialisers;
pub(super) mod insert;
mod parted;
pub(super) mod place;
pub(super) mod remove;
pub(super) mod replace;
pub(super) mod variables;
