//! `move`: a definition or a section goes to another place, and what refers to it along.
//!
//! Moves come behind all other operations of their step, and each sees what those before it left: so an edit of what moves goes along.
//! A move is two steps. In the first the segment goes and comes, and names behind modules are written anew; in the second imports come and
//! go, which see the files as the first left them.
//!
//! | file | holds |
//! |---|---|
//! | `steps` | the way in: the moves among some operations, one after the other |
//! | `moved` | what a move finds: the segment, its text, where it goes |
//! | `definition` | a definition of Python: both steps |
//! | `imports` | the second step: the imports of each file |
//! | `section` | a section of Markdown |
//! | `anchors` | links to a section, and those in it |
//! | `file_edits` | edits of one file made into one of a step |

mod anchors;
mod definition;
mod file_edits;
mod imports;
mod moved;
mod section;
mod steps;
#[cfg(test)]
mod tests;

pub(super) use steps::moves;
