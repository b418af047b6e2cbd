//! A definition that goes to another module, or to another place of its own: what it needs there, and what refers to it.
//!
//! In: the project, with the file that it goes to; out: for each file the places that change and the imports that come and go. Where
//! a module would give another meaning to a name, or where it is not certain what refers to the definition, nothing is decided.
//!
//! | file | holds |
//! |---|---|
//! | `walk` | the way in: all places of the name, and what becomes of each |
//! | `request`, `outcome` | what is asked for, and what comes of it |
//! | `definition` | whether it can be moved at all |
//! | `fixtures` | what it has of its file as a test |
//! | `needs` | the names that it uses, and the imports that bring them |
//! | `reading` | whether a name that is read is the module's, and when |
//! | `order` | what runs while a module is imported, and what that reads |
//! | `importers` | statements that import it |
//! | `attributes` | places that name it behind its module |
//! | `exports` | the words of `__all__` |
//! | `setters` | places that set what it reads from outside |
//! | `registered` | whether its import registers it, and who still does so |
//! | `naming` | how a file names a module that it has not named yet |
//!
//! Known limits: what finds a definition by the name of its module at run time (pickles, entry points) is a mention at best.

mod attributes;
mod definition;
mod exports;
mod fixtures;
mod importers;
mod naming;
mod needs;
mod order;
mod outcome;
mod reading;
mod registered;
mod request;
mod setters;
mod walk;

pub(crate) use outcome::{MovedDefinition, RelocatedFile, RelocatedImport};
pub(crate) use request::MoveRequest;
pub(crate) use walk::relocated;
