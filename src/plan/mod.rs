//! `Plan`: all splices and whole-file changes of a batch, in memory, or all its problems at once.
//!
//! `build` decides from a manifest and a snapshot alone. In `resolve: snapshot` every operation is one step against
//! the same snapshot; in `sequential` each operation is a step that sees the files as those before it left them.
//!
//! An operation goes from `action` (what is asked of one file) by its verb (`insert`, `replace`, `remove`) to the kind of
//! thing that it names. A new kind is one file, and one line in each verb. Keys of configuration files have their verbs themselves
//! (`key::edits`).
//!
//! | file | holds |
//! |---|---|
//! | `build`, `model` | the way in; what a batch makes of its files, or why there is no plan |
//! | `step`, `candidate` | what the files become at once; the files as all steps leave them |
//! | `action` | one operation in one file: what is found, what is expected of it, which verb |
//! | `insert`, `replace`, `remove` | a verb: the kinds of things that it knows |
//! | `definition/`, `section`, `block`, `element/`, `key/`, `quoted`, `lines`, `file` | a kind: definitions, sections of Markdown, blocks of templates, elements of pages, keys of configuration files, quoted texts, lines, whole files' starts and ends |
//! | `item`, `listing` | one parameter, base, decorator or argument of a definition; how a list is laid out |
//! | `whole` | files that come, go or move |
//! | `rename/` | a name that becomes another, wherever it is used |
//! | `name_service` | who is asked about names of other languages |
//! | `callers/` | calls of a function whose parameters change |
//! | `repoint` | imports of a module whose file gets another path |
//! | `relocation/` | a definition or a section that goes elsewhere, and what refers to it |
//! | `page_links` | links between pages of Markdown |
//! | `import/` | a Python file that imports something, or no more |
//! | `mend` | imports that follow what the batch edits |
//! | `edit`, `overlap` | one edit in one place; all edits of a file made into splices, or their clashes |
//! | `content`, `gaps`, `customs`, `filler`, `own_line`, `fence` | what the kinds share: indentation, blank lines, what a language asks for |
//! | `guess`, `wanted`, `outcome` | a selector that is left out, the files that are asked for, what is reported |

pub mod action;
mod block;
mod build;
mod callers;
mod candidate;
pub mod content;
mod customs;
mod definition;
pub mod edit;
pub mod element;
mod fence;
mod file;
mod filler;
mod gaps;
mod guess;
mod import;
mod insert;
mod item;
pub mod key;
mod lines;
mod listing;
mod mend;
mod model;
mod name_service;
mod outcome;
pub mod overlap;
mod own_line;
mod page_links;
mod quoted;
mod relocation;
mod remove;
mod rename;
mod replace;
mod repoint;
mod section;
mod step;
#[cfg(test)]
mod tests;
mod wanted;
mod whole;

pub use build::build;
pub use candidate::Candidate;
pub use definition::docstring::first_docstring;
pub use import::OpenName;
pub use model::{Plan, Refused};
pub use name_service::{
    DefinedAt, NamePlace, NameService, NoServers, ServedEdit, ServedError, ServedErrors,
};
pub use outcome::{MendedImport, OperationOutcome, OperationStatus, Removed};
pub(crate) use page_links::link_words;
pub(crate) use rename::{
    is_script, references_by_server, references_of_key, references_of_page_name,
    references_of_script, references_of_section,
};
pub use step::{FileEdit, Step, WrittenContent};
pub use wanted::{WantedFiles, asked_for_blocks, wanted_files, wanted_paths, word_of};
