//! Operation files and command lines from strangers who mean harm: each is refused, costs little, and leaves nothing.
//! `support::hostile` has the repository that they are tried in.

mod cost;
mod files;
mod paths;
mod terminal;
mod words;
