//! All names of a module: its scopes, what each binds, and every place where a name is written.
//!
//! | file | holds |
//! |---|---|
//! | `model` | what is found: scopes, bindings, occurrences, expressions as far as they say what something is |
//! | `walk` | the way in: a module's text → its names |
//! | `walker` | where the walk is, and what it has found |
//! | `statements`, `expressions`, `patterns` | what each node of the tree adds |
//! | `annotations` | strings that hold code: types in quotes, `__all__`, the name of a `TypeVar` |
//! | `narrowing` | what a test says of a name for a while |

mod annotations;
mod expressions;
mod model;
mod narrowing;
mod patterns;
mod statements;
mod walk;
mod walker;

pub(crate) use model::{
    AttributeStore, BindingKind, ExpressionId, FunctionParameter, ImportOrigin, MemberBinding,
    ModuleNames, NameBinding, NameOccurrence, NameScope, NameScopeKind, OccurrenceKind, Outward,
    ParameterKind, ScopeId, StoreReceiver, UsedExpression, UsedText,
};
pub(crate) use statements::folded;
pub(crate) use walk::module_names;
