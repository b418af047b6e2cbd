//! Reading again only what an edit touched: the functions, methods and classes around the splices, each by itself.
//!
//! Why that is enough. Where a file parses, what is between two of its statements is known: no bracket and no string
//! is open, and the lines of a block are indented alike. So when the lines of one definition become the lines of one
//! definition of the same name, indented as before, the parser meets everything else as it met it before. Scopes are
//! closed likewise: what a definition in a module or a class does with names outside of it is bound by nothing but its
//! own name and what its header reads.
//!
//! Whatever is not plainly so (another definition around it, comments at its edges, a header that changed in a file with
//! `global` statements, an error of any kind) has the whole file read.
//!
//! `touched.rs` finds those definitions, `definitions.rs` reads them, `rebuild.rs` puts them into the outline.

mod definitions;
mod rebuild;
#[cfg(test)]
mod tests;
mod touched;

pub(super) use definitions::reread;
