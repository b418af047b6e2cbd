//! References: every place where the word of a definition is written in a snapshot, each with one verdict. Pure: bytes in, values out.
//!
//! No engine is asked which references there are: each occurrence of the word is looked at, and what is not understood is unsure. What
//! leads to the definition by scopes and imports, or by what its receiver surely is, is certain. All but `scripts` is of Python.
//!
//! | file | holds |
//! |---|---|
//! | `renaming` | the way in: all references of a name; what changes when it gets another |
//! | `reference` | one place, and its verdict |
//! | `search`, `words` | every place of a word |
//! | `verdicts`, `keywords` | the verdict on an occurrence, on the name of an argument |
//! | `clashes` | where the new name means something else |
//! | `target` | an address → the names in scopes that are one thing |
//! | `leads` | a name → what it leads to, through imports |
//! | `things` | an expression → what it is |
//! | `stores`, `set_outside` | attributes that are set from outside of their classes |
//! | `classes`, `ancestry` | what is above and below a class |
//! | `bases` | by which words classes name their bases |
//! | `lookup` | in which scope of its file a name is bound |
//! | `importers` | which files import a name from one |
//! | `modules`, `sources` | an import → a file; the files, read once |
//! | `callers` | the calls of a function |
//! | `novelty` | whether an edit brings anything that has to be looked into |
//! | `undefined` | which names a module reads that nothing defines |
//! | `misuse`, `calls` | attributes and names that what they are asked of lacks; calls that do not fit |
//! | `beside` | where the modules are that a file imports |
//! | `origins` | where a name comes from that a file lacks |
//! | `moves` | files that get other paths: every import of them |
//! | `scripts/` | names of JavaScript and TypeScript |
//! | `relocation/` | a definition that goes to another module |
//! | `spelling`, `circles` | how a file names a module; whether an import would lead back |
//! | `outside`, `decorators` | what is known of Python's own library |
//! | `analysis`, `facts` | what was found out so far, and in what words |
//!
//! Known limits: what a class gets by `setattr` with a computed name, a module by `globals()`, is not seen; a receiver whose type is not written or plain
//! from an assignment is unknown, and an attribute of it unsure.

mod analysis;
mod ancestry;
mod bases;
mod beside;
mod callers;
mod calls;
mod circles;
mod clashes;
mod classes;
mod decorators;
mod facts;
mod importers;
mod keywords;
mod leads;
mod lookup;
mod misuse;
mod modules;
mod moves;
mod new_paths;
mod novelty;
mod origins;
mod outside;
mod reference;
mod relocation;
mod renaming;
mod scripts;
mod search;
mod set_outside;
mod sources;
mod spelling;
mod stores;
mod target;
#[cfg(test)]
mod tests;
mod things;
mod undefined;
mod verdicts;
mod words;

pub(crate) use analysis::Analysis;
pub(crate) use callers::{FunctionCalls, FunctionSignature, calls_of, signature_of};
pub(crate) use misuse::{Misuse, MisuseFault};
pub(crate) use moves::{FileMoves, RepointedFile, Repointing, repointed};
pub(crate) use novelty::{may_leave_undefined, may_use_anew};
pub(crate) use origins::{NameUse, Origins};
pub(crate) use outside::is_standard;
pub use reference::{Reference, References, Verdict};
pub(crate) use relocation::{
    MoveRequest, MovedDefinition, RelocatedFile, RelocatedImport, relocated,
};
pub use renaming::{RenameRefused, RenamedPlace, Renaming};
pub(crate) use renaming::{not_certain, references, rename, renamed};
pub(crate) use scripts::{ScriptDefinition, ScriptSurvey};
pub(crate) use sources::{Sources, is_python, is_python_file};
pub(crate) use undefined::{UndefinedName, built_in_names, names_in_reach, undefined_names};
pub(crate) use words::places_of;
