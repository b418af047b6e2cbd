//! What an engine or TypeScript's compiler refuses before it runs anything: what does not parse, and the standard's early errors,
//! such as a name declared twice or `await` in a function that is not asynchronous. Read by oxc (`errors`), whose verdicts are held to
//! the standard's own tests; tree-sitter, which the segments are from, takes more than the language has. Declarations of types that
//! contradict each other (`declared`) are errors too, and so is a comment that JSX would show as text (`remarks`).
//!
//! Known limits: whether a name exists, a type fits or a module has what is imported, is not looked at here. A file in Flow,
//! one that is not UTF-8, and one that nests deeper than anybody writes is judged by tree-sitter alone.

mod declared;
mod errors;
mod remarks;
#[cfg(test)]
mod tests;

pub(crate) use errors::{declarations, javascript, tsx, typescript};
