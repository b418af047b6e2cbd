//! The names of a file, each with what it is there: bound in a scope, a member, a name of another module.
//!
//! | file | holds |
//! |---|---|
//! | `read` | the way in |
//! | `walker` | the walk over what oxc reads |
//! | `modules` | what imports, exports and their older forms say |

mod modules;
mod read;
mod walker;

pub(crate) use read::{declarations, javascript, tsx, typescript};
