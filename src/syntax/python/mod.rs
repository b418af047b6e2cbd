//! Python: what its files define, what CPython would reject in them, what each line is to an indentation.
//!
//! A file that parses is read by a real Python parser (`outline`), one that does not by tree-sitter (`recovered`),
//! which makes something of everything. Deliberately not here: type aliases (`type X = …`) are no segments, as the
//! contract names none; stub files and notebooks have no rules of their own.
//!
//! | file | holds |
//! |---|---|
//! | `language` | what it is called, and its grammar |
//! | `read`, `fragment` | a file or a piece of one → what it defines |
//! | `source` | bytes → text, lines and indentation |
//! | `module` | text → the parser's tree, on any nesting |
//! | `outline`, `comments` | tree → symbols, and the comments that belong to them |
//! | `recovered` | what does not parse → symbols |
//! | `pieces`, `reread` | a large file in pieces; what an edit touched |
//! | `errors`, `tabs`, `scopes`, `names`, `surroundings` | what CPython would reject |
//! | `roles` | what each line is to an indentation |
//! | `statements`, `elements`, `items`, `members`, `imports` | tree → the other answers |
//! | `import_statements` | tree → import statements as they are written |
//! | `naming/` | all names of a module, and what each is |
//! | `dialect` | what Starlark has beside that |
//! | `spans` | changes every span of a symbol |

mod comments;
mod dialect;
mod elements;
mod errors;
mod fragment;
mod import_statements;
mod imports;
mod items;
mod language;
mod members;
mod module;
mod names;
mod naming;
mod outline;
mod pieces;
mod read;
mod recovered;
mod reread;
mod roles;
mod scopes;
mod source;
mod spans;
mod statements;
mod surroundings;
mod tabs;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use dialect::{foreign_words, targets};
pub use import_statements::ImportStatement;
pub(crate) use import_statements::{
    ImportPlace, ImportTable, ImportedName, ModuleStatement, ModuleStatementKind, import_table,
    is_type_checking,
};
pub use imports::{Imports, PythonImport, imports};
pub(crate) use items::argument_lists;
pub use language::{PYTHON, Python};
pub use module::NEWEST_MINOR;
pub(crate) use naming::{
    AttributeStore, BindingKind, ExpressionId, FunctionParameter, ImportOrigin, MemberBinding,
    ModuleNames, NameBinding, NameOccurrence, NameScope, NameScopeKind, OccurrenceKind, Outward,
    ParameterKind, ScopeId, StoreReceiver, UsedExpression, UsedText, folded, module_names,
};
pub(crate) use pieces::chunks;
pub use read::{errors_of, parsed_outline, recovered_outline};
