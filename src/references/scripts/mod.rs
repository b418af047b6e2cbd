//! Names of JavaScript and TypeScript: what scopes, imports and exports make certain, without types.
//!
//! Every place of the word is looked at. What a scope binds is followed through imports and exports, those of CommonJS included, to where
//! it is defined. A member is certain where its receiver is: `this` in its class, an enumeration, a module. Of any
//! other member of the name nothing is said, so it is unsure.
//!
//! | file | holds |
//! |---|---|
//! | `survey` | the way in: a name, and every place of its word |
//! | `target` | what a name is of |
//! | `files` | the files of a project, each read once |
//! | `modules`, `packages` | an import → a file, or out of the repository |
//! | `leads` | a name → what it leads to, through imports and exports |
//! | `verdicts`, `doubts` | the verdict on a place; what asks for a name without saying it |
//! | `clashes` | what means something else once the name is another |

/// So many places are named in a refusal; all of them are in the report.
const MOST_NAMED: usize = 20;

mod clashes;
mod doubts;
mod files;
mod leads;
mod modules;
mod packages;
mod survey;
mod target;
#[cfg(test)]
mod tests;
mod verdicts;

pub(crate) use survey::ScriptSurvey;
pub(crate) use target::ScriptDefinition;
